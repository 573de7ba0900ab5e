"""The generated data."""

import copy
import json
import random
import tempfile
import unittest
from pathlib import Path

from ..data import edits
from ..data.manifests import manifest_text
from ..data.source_text import Literal, SourceText, canonical_size
from ..data.tool_schemas import tool_schema
from ..items import ITEMS
from ..items.manifest import SIZES


class SourceTextTest(unittest.TestCase):
    def test_what_is_written_means_what_was_given(self) -> None:
        value: dict[str, object] = {
            "b": [1, None, True, {}, []],
            "a": 'ö\n"\\',
            "c": {"€": "→" * 9},
        }
        text = SourceText(random.Random(1)).write(value)
        self.assertEqual(json.loads(text), value)
        self.assertEqual(list(json.loads(text)), ["b", "a", "c"])

    def test_literals_stand_as_they_are(self) -> None:
        text = SourceText(random.Random(1)).write([Literal("1E3", "1000")])
        self.assertEqual(text, "[\n  1E3\n]\n")

    def test_the_size_is_that_of_the_canonical_form(self) -> None:
        values: tuple[object, ...] = ({}, [], {"b": 1, "a": [True, None]}, ["ö\n", ""], [{"a": {}}])
        for value in values:
            canonical = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            self.assertEqual(canonical_size(value), len(canonical.encode()), value)
        self.assertEqual(canonical_size([Literal("1E3", "1000")]), len("[1000]"))


class ManifestTest(unittest.TestCase):
    def test_every_run_writes_the_same(self) -> None:
        for item in ITEMS.values():
            first, second = (self._generated(item.generate) for _ in range(2))
            self.assertEqual(first, second)

    def test_manifests_have_tools_and_awkward_numbers(self) -> None:
        for size in SIZES.values():
            text = manifest_text(random.Random(1), size)
            self.assertGreater(len(json.loads(text)["tools"]), 0)
            for number in ("1e21", "1e-7", "333333333.33333329"):
                self.assertIn(number, text)

    @staticmethod
    def _generated(generate) -> dict[str, bytes]:
        with tempfile.TemporaryDirectory() as directory:
            generate(Path(directory))
            return {file.name: file.read_bytes() for file in Path(directory).iterdir()}


class EditsTest(unittest.TestCase):
    def test_an_edit_that_says_so_has_changed_the_schema(self) -> None:
        changed: set[edits.Edit] = set()
        for seed in range(40):
            schema = tool_schema(random.Random(seed), fields=5)
            for edit in edits.ALL:
                edited = copy.deepcopy(schema)
                self.assertEqual(edit(edited), edited != schema, edit.__name__)
                changed.update({edit} if edited != schema else {})
        self.assertEqual(changed, set(edits.ALL))

    def test_every_schema_can_be_edited(self) -> None:
        for seed in range(60):
            schema = tool_schema(random.Random(seed), fields=2)
            edited = copy.deepcopy(schema)
            edits.apply_some(edited, random.Random(seed), start=seed)
            self.assertNotEqual(edited, schema)
