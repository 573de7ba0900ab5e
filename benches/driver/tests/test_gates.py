"""The gates of the item ``manifest``."""

import json
import tempfile
import unittest
from pathlib import Path

from ..items.manifest import (
    compiled_all,
    found_edits,
    right_verdicts,
    same_digest,
    told_errors,
)

TOOLS = [
    {"name": "a", "instances": [{"text": "{}", "valid": True}, {"text": "[]", "valid": False}]},
    {"name": "b", "instances": [{"text": "1", "valid": False}]},
]


class GatesTest(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.data = Path(directory.name)
        (self.data / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
        (self.data / "case-edited.json").write_text("[1, 2]", encoding="utf-8")

    def test_digests_must_be_equal_except_that_of_the_limit(self) -> None:
        self.assertEqual(same_digest({"assent": "x", "b": "x", "serde_json": "y"}, self.data), [])
        self.assertEqual(len(same_digest({"assent": "x", "b": "y"}, self.data)), 2)

    def test_verdicts_must_be_those_that_are_meant(self) -> None:
        right = [True, False, False]
        self.assertEqual(right_verdicts({"assent": right, "serde_json": 1}, self.data), [])
        (problem,) = right_verdicts({"assent": right, "b": [True, True, False]}, self.data)
        self.assertEqual(problem, "b says True to a []")
        self.assertEqual(len(right_verdicts({"b": [True]}, self.data)), 1)

    def test_errors_need_a_message_and_a_pointer(self) -> None:
        good = [{"path": "", "message": "no"}, {"path": "/a/0", "message": "no"}]
        self.assertEqual(told_errors({"assent": good}, self.data), [])
        for bad in (
            good[:1],
            [*good[:1], {"path": "a", "message": "no"}],
            [*good[:1], {"path": "", "message": ""}],
        ):
            self.assertEqual(len(told_errors({"assent": bad}, self.data)), 1)

    def test_all_schemas_must_be_compiled(self) -> None:
        self.assertEqual(compiled_all({"assent": 2}, self.data), [])
        self.assertEqual(len(compiled_all({"assent": 2, "b": 1}, self.data)), 1)

    def test_the_comparison_must_find_the_edited_tools_and_decide(self) -> None:
        gate = found_edits("case")
        diff = {"tools": [1, 2], "undecided": 0}
        read: dict[str, object] = {"assent-read": [200, 200]}
        self.assertEqual(gate(read | {"assent": diff}, self.data), [])
        self.assertEqual(len(gate(read | {"assent": diff | {"tools": [1]}}, self.data)), 1)
        self.assertEqual(len(gate(read | {"assent": diff | {"undecided": 3}}, self.data)), 1)
        self.assertEqual(len(gate({"assent": diff, "assent-read": [200, 0]}, self.data)), 1)
