"""The table and the verdicts as text."""

import unittest

from ..goals import NOTHING, Goal
from ..items.item import Case, Item
from ..peers import Kind, Peer, Role
from ..report import table, verdict_lines
from ..samples import ALLOCATIONS, CPU, INDEX_MEMORY, MEMORY, NDCG, TAIL, WALL, Summaries
from ..summary import Summary
from ..verdicts import judge

PEERS = {
    "ours": Peer("ours", Role.OURS, Kind.CARGO, "adapter"),
    "theirs": Peer("theirs", Role.PEER, Kind.CARGO, "adapter", "library", "1.0.0"),
}


def summaries(**figures: dict[str, float]) -> Summaries:
    return {
        ("case", peer, metric): Summary.of([value])
        for peer, values in figures.items()
        for metric, value in values.items()
    }


MEASURED = summaries(
    ours={
        **{CPU: 5, WALL: 6, MEMORY: 2048, INDEX_MEMORY: 512, NDCG: 0.5474, TAIL: 2.5},
        ALLOCATIONS: 64,
    },
    theirs={CPU: 10, WALL: 12, MEMORY: 4096, INDEX_MEMORY: 3072, NDCG: 0.4996, TAIL: 2.0},
)


class TableTest(unittest.TestCase):
    def test_further_figures_get_columns_of_their_own(self) -> None:
        case = Case("case", "title", "query", ("ours", "theirs"), lambda _a, _d: [])
        plain = table(Item("item", (case,), lambda _: None), MEASURED, PEERS)
        self.assertNotIn("nDCG@5", plain)
        case = Case(**vars(case) | {"figures": (INDEX_MEMORY, NDCG)})
        _, head, ours, theirs = table(
            Item("item", (case,), lambda _: None), MEASURED, PEERS
        ).splitlines()
        self.assertEqual(head.split()[-4:], ["MiB", "index", "MiB", "nDCG@5"])
        self.assertEqual(ours.split()[-2:], ["0.50", "0.547"])
        self.assertEqual(theirs.split()[-2:], ["3.00", "0.500"])

    def test_a_peer_that_cannot_tell_a_figure_leaves_it_out(self) -> None:
        case = Case("case", "title", "call", ("ours", "theirs"), lambda _a, _d: [], (ALLOCATIONS,))
        lines = table(Item("item", (case,), lambda _: None), MEASURED, PEERS).splitlines()
        self.assertTrue(lines[1].endswith("allocations"))
        self.assertTrue(lines[2].endswith(" 64.0"))
        self.assertTrue(lines[3].endswith(" 4.0"))


class VerdictsTest(unittest.TestCase):
    def test_what_was_compared_is_said(self) -> None:
        goals = [
            Goal("item", "case", CPU, "fastest", "<=", 0.5),
            Goal("item", "case", NDCG, "theirs", ">=", 1.0),
            Goal("item", "case", TAIL, NOTHING, "<=", 2.0),
            Goal("item", "case", CPU, "ours", "<=", 1.3, against="case"),
            Goal("item", "case", WALL, "theirs", "<=", 0.4),
        ]
        lines = verdict_lines(judge(goals, MEASURED, PEERS)).splitlines()
        expected = [
            ("pass", "ours ÷ theirs (fastest)", "0.50"),
            ("pass", "ours ÷ theirs, nDCG@5", "1.10"),
            ("fail", "our p99 ÷ p50", "2.50"),
            ("pass", "ours ÷ ours in case", "1.00"),
            ("fail", "ours ÷ theirs, wall µs", "0.50"),
        ]
        for line, (outcome, compared, ratio) in zip(lines, expected, strict=True):
            self.assertTrue(line.startswith(outcome), line)
            self.assertIn(f" {compared} ", line)
            self.assertIn(f" {ratio} ", line)
