"""Arguments and exit codes, with adapters that only pretend."""

import contextlib
import io
import unittest
from unittest import mock

from .. import cli
from ..errors import RunError
from ..samples import METRICS, Sample


def run(*arguments: str) -> tuple[object, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code: object = cli.main(arguments)
        except SystemExit as ended:
            code = ended.code
    return code, out.getvalue(), err.getvalue()


def pretend(ours: float):
    """Takes the place of measuring: everyone needs 1, and we need ``ours``."""

    def measure(item, adapters, rounds, cpu_ms, progress) -> list[Sample]:
        return [
            Sample(item.name, case.name, peer, metric, ours if peer == "assent" else 1.0, 1, 1, 1)
            for case in item.cases
            for peer in case.peers
            for metric in METRICS
        ]

    return mock.patch.object(cli, "measure", measure)


class UseTest(unittest.TestCase):
    def test_wrong_use_ends_with_2(self) -> None:
        for arguments in ([], ["nothing"], ["manifest", "--rounds", "0"], ["manifest", "--fast"]):
            self.assertEqual(run(*arguments)[0], 2, arguments)


@mock.patch.object(cli, "install", lambda peers, progress: None)
@mock.patch.object(cli, "_generate", lambda item: None)
class ExitCodeTest(unittest.TestCase):
    def setUp(self) -> None:
        patch = mock.patch.object(cli.gate, "check")
        self.gate = patch.start()
        self.addCleanup(patch.stop)

    def test_met_goals_end_with_0(self) -> None:
        with pretend(ours=0.3):
            code, out, _ = run("manifest")
        self.assertEqual(code, 0)
        self.assertIn("pass (stretch)", out)
        self.assertNotIn("fail", out)

    def test_only_the_named_cases_are_measured_and_judged(self) -> None:
        with pretend(ours=2.0):
            code, out, _ = run("manifest", "--case", "compile", "--case", "validate-error")
        self.assertEqual(code, 1)
        self.assertIn("validate-error", out)
        self.assertNotIn("canonical", out)
        self.assertEqual(run("manifest", "--case", "nothing")[0], 2)

    def test_a_missed_goal_ends_with_1(self) -> None:
        with pretend(ours=2.0):
            code, out, _ = run("manifest")
        self.assertEqual(code, 1)
        self.assertIn("fail", out)

    def test_a_closed_gate_ends_with_2_and_nothing_is_measured(self) -> None:
        self.gate.side_effect = RunError("they disagree")
        with mock.patch.object(cli, "measure") as measure:
            code, _, err = run("manifest")
        self.assertEqual(code, 2)
        self.assertIn("they disagree", err)
        measure.assert_not_called()

    def test_preparing_measures_nothing(self) -> None:
        with mock.patch.object(cli, "measure") as measure:
            self.assertEqual(run("manifest", "--prepare")[0], 0)
        measure.assert_not_called()
