"""The item ``search``: its data and its gates."""

import json
import random
import tempfile
import unittest
from pathlib import Path

from ..data.search_tools import (
    LABELLED,
    PROBES,
    QUERY_WORDS,
    copy_labelled,
    write_synthetic,
)
from ..items.search import (
    SIZES,
    finds_probes,
    found_only_while_there,
    judged_all,
    took_all,
)


def lines(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


class InDirectory(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.data = Path(directory.name)


class DataTest(InDirectory):
    def test_each_probe_has_words_that_only_its_tool_has(self) -> None:
        write_synthetic(self.data, "few", 200, random.Random(1))
        tools = {tool["id"]: tool for tool in lines(self.data / "few.tools.jsonl")}
        probes = lines(self.data / "few.probes.jsonl")
        self.assertEqual((len(tools), len(probes)), (200, PROBES))
        for probe in probes:
            for word in probe["text"].split()[1:]:
                having = [name for name, tool in tools.items() if word in tool["description"]]
                self.assertEqual(having, probe["rel"])

    def test_queries_are_as_long_as_they_should_be(self) -> None:
        write_synthetic(self.data, "few", 200, random.Random(1))
        lengths = {len(query["text"].split()) for query in lines(self.data / "few.queries.jsonl")}
        self.assertEqual((min(lengths), max(lengths)), QUERY_WORDS)

    def test_labelled_sets_name_tools_that_are_there(self) -> None:
        copy_labelled(self.data)
        for name in LABELLED:
            tools = {tool["id"] for tool in lines(self.data / f"{name}.tools.jsonl")}
            queries = lines(self.data / f"{name}.queries.jsonl")
            self.assertGreaterEqual((len(tools), len(queries)), (60, 150))
            for query in queries:
                self.assertTrue(query["text"] and query["rel"])
                self.assertLessEqual(set(query["rel"]), tools)


class GatesTest(InDirectory):
    def test_probes_must_be_found_by_everyone(self) -> None:
        (self.data / "1k.probes.jsonl").write_text('{"rel": ["3"]}\n{"rel": ["5"]}\n', "utf-8")
        gate = finds_probes("1k")
        self.assertEqual(gate({"assent": ["3", "5"]}, self.data), [])
        self.assertEqual(len(gate({"assent": ["3", "5"], "b": ["3", None]}, self.data)), 1)

    def test_an_index_must_have_taken_all_tools(self) -> None:
        gate = took_all("10k")
        self.assertEqual(gate({"assent": SIZES["10k"]}, self.data), [])
        self.assertEqual(len(gate({"assent": SIZES["10k"], "b": None}, self.data)), 1)

    def test_a_tool_must_be_found_only_while_it_is_there(self) -> None:
        key = 2**32 - 1
        self.assertEqual(found_only_while_there({"assent": [None, key, None]}, self.data), [])
        self.assertEqual(len(found_only_while_there({"assent": [None, key, key]}, self.data)), 1)

    def test_all_queries_must_be_judged(self) -> None:
        (self.data / "set.queries.jsonl").write_text("{}\n{}\n", "utf-8")
        gate = judged_all("set")
        right = {"queries": 2, "ndcg_at_5": 0.5}
        self.assertEqual(gate({"assent": right}, self.data), [])
        for wrong in (right | {"queries": 1}, right | {"ndcg_at_5": 0.0}):
            self.assertEqual(len(gate({"assent": right, "b": wrong}, self.data)), 1)
