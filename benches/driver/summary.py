"""Many figures in few numbers."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

# A wider spread says more about the machine than about the program.
NOISY_SPREAD = 1.6


@dataclass(frozen=True)
class Summary:
    """The middle and the ends of what the rounds gave."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Summary":
        """Summarises at least one figure."""
        return cls(statistics.median(values), min(values), max(values))

    @property
    def spread(self) -> float:
        """The largest figure divided by the smallest."""
        if self.low > 0:
            return self.high / self.low
        return 1.0 if self.high == self.low else float("inf")

    @property
    def is_noisy(self) -> bool:
        """Whether the figures are too far apart for a verdict."""
        return self.spread > NOISY_SPREAD
