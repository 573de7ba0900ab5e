"""Medians and noise."""

import unittest

from ..summary import Summary


class SummaryTest(unittest.TestCase):
    def test_the_middle_of_an_odd_number_of_figures_is_one_of_them(self) -> None:
        self.assertEqual(Summary.of([9.0, 1.0, 2.0]), Summary(median=2.0, low=1.0, high=9.0))

    def test_the_middle_of_an_even_number_lies_between_two(self) -> None:
        self.assertEqual(Summary.of([4.0, 1.0, 2.0, 3.0]).median, 2.5)

    def test_a_single_figure_is_its_own_summary(self) -> None:
        summary = Summary.of([3.0])
        self.assertEqual((summary.median, summary.spread, summary.is_noisy), (3.0, 1.0, False))

    def test_noise_begins_above_the_limit(self) -> None:
        self.assertFalse(Summary.of([1.0, 1.3, 1.6]).is_noisy)
        self.assertTrue(Summary.of([1.0, 1.3, 1.61]).is_noisy)

    def test_zero_next_to_anything_else_is_noise(self) -> None:
        self.assertTrue(Summary.of([0.0, 1.0]).is_noisy)
        self.assertFalse(Summary.of([0.0, 0.0]).is_noisy)
