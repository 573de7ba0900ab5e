"""The order of measurements."""

import unittest

from ..items.item import Case, Item
from ..rounds import schedule


def case(name: str, *peers: str) -> Case:
    return Case(name, "", "", peers, gate=lambda _answers, _data: [])


ITEM = Item(
    "item",
    (case("one", "a", "b", "c"), case("two", "a", "d")),
    generate=lambda _directory: None,
)

ALL = {("one", "a"), ("one", "b"), ("one", "c"), ("two", "a"), ("two", "d")}


class ScheduleTest(unittest.TestCase):
    def test_every_round_runs_everything_once(self) -> None:
        planned = list(schedule(ITEM, rounds=4))
        for number in range(1, 5):
            in_round = [(name, peer) for of, name, peer in planned if of == number]
            self.assertEqual(len(in_round), len(ALL))
            self.assertEqual(set(in_round), ALL)

    def test_rounds_follow_each_other_in_orders_of_their_own(self) -> None:
        planned = list(schedule(ITEM, rounds=4))
        self.assertEqual([number for number, _, _ in planned], sorted(n for n, _, _ in planned))
        orders = {tuple(planned[start + i][1:] for i in range(5)) for start in range(0, 20, 5)}
        self.assertGreater(len(orders), 1)

    def test_a_seed_fixes_the_order(self) -> None:
        self.assertEqual(list(schedule(ITEM, 3, seed=1)), list(schedule(ITEM, 3, seed=1)))
        self.assertNotEqual(list(schedule(ITEM, 3, seed=1)), list(schedule(ITEM, 3, seed=2)))
