"""The item `runtime`: its data and its gates."""

import json
import tempfile
import unittest
from pathlib import Path

from ..data.calls import CALLS, TOOLS
from ..items.runtime import FILE, RUNTIME, SQLITE, answered, answered_and_wrote, generate


class InDirectory(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.data = Path(directory.name)
        generate(self.data)
        self.calls = json.loads((self.data / FILE).read_bytes())["calls"]
        self.answers = [call["answer"] for call in self.calls]


class DataTest(InDirectory):
    def test_every_call_has_the_three_arguments_that_the_tool_takes(self) -> None:
        content = json.loads((self.data / FILE).read_bytes())
        self.assertEqual((len(self.calls), content["tools"]), (CALLS, TOOLS))
        for call in self.calls:
            arguments = json.loads(call["text"])
            self.assertEqual(list(arguments), content["schema"]["required"])
            self.assertIn(f"{arguments['limit']} lines of {arguments['path']}", call["answer"])

    def test_the_same_seed_gives_the_same_calls(self) -> None:
        before = (self.data / FILE).read_bytes()
        generate(self.data)
        self.assertEqual((self.data / FILE).read_bytes(), before)

    def test_both_curves_have_more_than_two_points(self) -> None:
        for curve in ("calls-", "catalog-"):
            points = [case.name for case in RUNTIME.cases if case.name.startswith(curve)]
            self.assertGreater(len(points), 2)


class GatesTest(InDirectory):
    def test_everybody_must_answer_every_call(self) -> None:
        gate = answered()
        self.assertEqual(gate({"assent": self.answers, "rmcp": self.answers}, self.data), [])
        for wrong in (self.answers[1:], ["", *self.answers[1:]], None):
            self.assertEqual(len(gate({"assent": self.answers, "rmcp": wrong}, self.data)), 1)

    def test_calls_at_once_are_the_same_ones_again_and_again(self) -> None:
        gate = answered(2 * CALLS)
        self.assertEqual(gate({"assent": self.answers * 2}, self.data), [])
        self.assertEqual(len(gate({"assent": self.answers}, self.data)), 1)

    def test_the_limit_must_find_all_rows_again(self) -> None:
        gate = answered_and_wrote(CALLS)
        for rows, problems in (([640, 640], 0), ([640, 639], 1), ([CALLS - 1, CALLS - 1], 1)):
            found = gate({"assent": self.answers, SQLITE: rows}, self.data)
            self.assertEqual(len(found), problems)
