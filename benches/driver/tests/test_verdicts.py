"""Pass, fail and noisy."""

import unittest

from ..errors import RunError
from ..goals import FASTEST, NOTHING, Goal
from ..peers import Kind, Peer, Role
from ..samples import CPU, Summaries
from ..summary import Summary
from ..verdicts import Outcome, fastest_peer, judge

PEERS = {
    name: Peer(name, role, Kind.CARGO, adapter="adapter")
    for name, role in (
        ("ours", Role.OURS),
        ("slow", Role.PEER),
        ("quick", Role.PEER),
        ("limit", Role.LIMIT),
        ("beside", Role.REFERENCE),
    )
}


def summaries(**values: list[float]) -> Summaries:
    return {("case", name, CPU): Summary.of(figures) for name, figures in values.items()}


def goal(peer: str, ratio: float, *, stretch: bool = False) -> Goal:
    return Goal("item", "case", CPU, peer, "<=", ratio, stretch)


MEASURED = summaries(ours=[4.0], slow=[10.0], quick=[8.0], limit=[2.0], beside=[1.0])


class JudgeTest(unittest.TestCase):
    def test_medians_are_divided(self) -> None:
        passed, failed = judge([goal("slow", 0.5), goal("limit", 1.5)], MEASURED, PEERS)
        self.assertEqual((passed.ratio, passed.outcome), (0.4, Outcome.PASS))
        self.assertEqual((failed.ratio, failed.outcome), (2.0, Outcome.FAIL))
        self.assertFalse(passed.is_failure)
        self.assertTrue(failed.is_failure)

    def test_the_fastest_is_neither_we_nor_a_limit_nor_a_reference(self) -> None:
        self.assertEqual(fastest_peer("case", CPU, MEASURED, PEERS), "quick")
        (verdict,) = judge([goal(FASTEST, 0.5)], MEASURED, PEERS)
        self.assertEqual((verdict.peer, verdict.ratio), ("quick", 0.5))

    def test_a_figure_may_be_judged_by_itself(self) -> None:
        met, missed = judge([goal(NOTHING, 4), goal(NOTHING, 3.9)], MEASURED, PEERS)
        self.assertEqual((met.ratio, met.outcome), (4.0, Outcome.PASS))
        self.assertEqual((missed.peer, missed.outcome), (NOTHING, Outcome.FAIL))

    def test_a_figure_may_be_judged_by_our_own_in_another_case(self) -> None:
        small = {("small", "ours", CPU): Summary.of([3.0])}
        flat = Goal("item", "case", CPU, "ours", "<=", 1.3, against="small")
        (verdict,) = judge([flat], MEASURED | small, PEERS)
        self.assertEqual((verdict.ratio, verdict.outcome), (4 / 3, Outcome.FAIL))
        with self.assertRaises(RunError):
            judge([flat], MEASURED, PEERS)

    def test_noise_on_either_side_forbids_a_verdict(self) -> None:
        for figures in (
            summaries(ours=[1.0, 1.0, 2.0], slow=[10.0]),
            summaries(ours=[1.0], slow=[10.0, 10.0, 20.0]),
            summaries(ours=[50.0, 50.0, 100.0], slow=[10.0]),
        ):
            (verdict,) = judge([goal("slow", 0.5)], figures, PEERS)
            self.assertEqual(verdict.outcome, Outcome.NOISY)
            self.assertFalse(verdict.is_failure)

    def test_noise_elsewhere_does_not_matter(self) -> None:
        figures = summaries(ours=[1.0], slow=[10.0], quick=[1.0, 9.0])
        (verdict,) = judge([goal("slow", 0.5)], figures, PEERS)
        self.assertEqual(verdict.outcome, Outcome.PASS)

    def test_a_missed_stretch_goal_fails_nothing(self) -> None:
        (verdict,) = judge([goal("slow", 0.1, stretch=True)], MEASURED, PEERS)
        self.assertEqual((verdict.outcome, verdict.is_failure), (Outcome.FAIL, False))

    def test_a_goal_without_figures_is_an_error(self) -> None:
        with self.assertRaises(RunError):
            judge([goal("slow", 0.5)], summaries(ours=[1.0]), PEERS)
