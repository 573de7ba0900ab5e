"""What adapters print."""

import json
import unittest
from typing import Any

from ..errors import RunError
from ..samples import Sample, parse_samples, summarise

LINE: dict[str, Any] = {
    "item": "manifest",
    "case": "compile",
    "peer": "ours",
    "metric": "cpu_us_per_op",
    "value": 2.5,
    "cpu_us": 200000.0,
    "wall_us": 210000.0,
}


class SamplesTest(unittest.TestCase):
    def test_one_sample_per_line(self) -> None:
        output = f"{json.dumps(LINE)}\n{json.dumps(LINE | {'value': 3.5})}\n"
        samples = parse_samples(output, round_number=4)
        self.assertEqual(
            samples, [Sample(**LINE, round=4), Sample(**LINE | {"value": 3.5}, round=4)]
        )

    def test_prose_and_missing_fields_are_refused(self) -> None:
        without_value = {name: value for name, value in LINE.items() if name != "value"}
        for output in ("done in 3 s", json.dumps(without_value), json.dumps(LINE | {"more": 1})):
            with self.assertRaises(RunError):
                parse_samples(output, round_number=1)

    def test_what_was_divided_by_zero_is_refused(self) -> None:
        with self.assertRaisesRegex(RunError, "cpu_us_per_op"):
            parse_samples(json.dumps(LINE | {"value": None}), round_number=1)

    def test_rounds_are_summarised_by_case_peer_and_metric(self) -> None:
        samples = [Sample(**LINE | {"value": value}, round=1) for value in (1.0, 2.0, 6.0)]
        samples.append(Sample(**LINE | {"peer": "theirs"}, round=1))
        found = summarise(samples)
        self.assertEqual(found["compile", "ours", "cpu_us_per_op"].median, 2.0)
        self.assertEqual(found["compile", "theirs", "cpu_us_per_op"].median, 2.5)
