"""Reading goals.toml."""

import unittest

from ..errors import RunError
from ..goals import Goal, check_goals, load_goals, parse_goals
from ..items import ITEMS
from ..paths import GOALS_FILE

TEXT = """
[[goal]]
item = "manifest"
case = "canonical-1k"
metric = "cpu_us_per_op"
peer = "fastest"
op = "<="
ratio = 0.5
"""

CASES = {
    ("manifest", "canonical-1k"): ("ours", "theirs"),
    ("manifest", "canonical-64k"): ("ours",),
}


class ParseTest(unittest.TestCase):
    def test_a_goal_is_read(self) -> None:
        goal = Goal("manifest", "canonical-1k", "cpu_us_per_op", "fastest", "<=", 0.5)
        self.assertEqual(parse_goals(TEXT, "text"), [goal])
        self.assertEqual(parse_goals(TEXT + "stretch = true", "text")[0].stretch, True)

    def test_no_goals_are_goals_too(self) -> None:
        self.assertEqual(parse_goals("", "text"), [])

    def test_mistakes_are_told_with_their_place(self) -> None:
        mistakes = {
            TEXT.replace('"<="', '"<"'): "`op`",
            TEXT.replace("0.5", "0"): "`ratio`",
            TEXT.replace("0.5", '"half"'): "`ratio`",
            TEXT.replace("ratio", "ration"): "ration",
            TEXT.replace("[[goal]]", "[[goal"): "text: ",
        }
        for text, told in mistakes.items():
            with self.assertRaisesRegex(RunError, told):
                parse_goals(text, "text")


class CheckTest(unittest.TestCase):
    def test_a_goal_must_be_about_something(self) -> None:
        check_goals(parse_goals(TEXT, "text"), CASES)
        check_goals(parse_goals(TEXT.replace("fastest", "theirs"), "text"), CASES)
        check_goals(parse_goals(TEXT.replace("fastest", "nothing"), "text"), CASES)
        check_goals(parse_goals(TEXT + 'against = "canonical-64k"', "text"), CASES)
        for wrong in (
            TEXT.replace("manifest", "relay"),
            TEXT.replace("1k", "2k"),
            TEXT.replace("fastest", "nobody"),
            TEXT.replace("cpu_us", "cpu_ms"),
            TEXT + 'against = "canonical-2k"',
            TEXT.replace("fastest", "theirs") + 'against = "canonical-64k"',
        ):
            with self.assertRaises(RunError):
                check_goals(parse_goals(wrong, "text"), CASES)

    def test_our_own_goals_are_in_order(self) -> None:
        cases = {
            (item.name, case.name): case.peers for item in ITEMS.values() for case in item.cases
        }
        check_goals(load_goals(GOALS_FILE), cases)


class MeetTest(unittest.TestCase):
    def test_both_operators_include_the_ratio_itself(self) -> None:
        at_most = parse_goals(TEXT, "text")[0]
        at_least = parse_goals(TEXT.replace("<=", ">="), "text")[0]
        for ratio, below, above in ((0.4, True, False), (0.5, True, True), (0.6, False, True)):
            self.assertEqual(at_most.is_met_by(ratio), below)
            self.assertEqual(at_least.is_met_by(ratio), above)
