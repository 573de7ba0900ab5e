"""What we want to reach: ``goals.toml``."""

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import RunError
from .samples import METRICS

# Stands for whichever peer turns out to be the fastest in the case.
FASTEST = "fastest"

# Our figure itself is compared: it is a ratio already, or it was promised.
NOTHING = "nothing"

OPERATORS = ("<=", ">=")


@dataclass(frozen=True)
class Goal:
    """Ours divided by the peer's must be at most, or at least, a ratio; or ours by itself."""

    item: str
    case: str
    metric: str
    peer: str
    op: str
    ratio: float
    # A stretch goal is shown, and fails nothing.
    stretch: bool = False
    # The case of the peer's figure, if it is another one: so a curve is held to be flat.
    against: str = ""

    def is_met_by(self, ratio: float) -> bool:
        """Whether a measured ratio is good enough."""
        return ratio <= self.ratio if self.op == "<=" else ratio >= self.ratio


def load_goals(file: Path) -> list[Goal]:
    """All goals of a file."""
    return parse_goals(file.read_text("utf-8"), str(file))


def parse_goals(text: str, origin: str) -> list[Goal]:
    """All goals of a text; ``origin`` is for messages."""
    try:
        entries = tomllib.loads(text).get("goal", [])
    except tomllib.TOMLDecodeError as error:
        raise RunError(f"{origin}: {error}") from error
    return [_goal(number, entry, origin) for number, entry in enumerate(entries, start=1)]


def _goal(number: int, entry: dict, origin: str) -> Goal:
    try:
        goal = Goal(**entry)
    except TypeError as error:
        raise RunError(f"{origin}: goal {number}: {error}") from error
    if goal.op not in OPERATORS:
        raise RunError(f"{origin}: goal {number}: `op` must be one of {', '.join(OPERATORS)}")
    if isinstance(goal.ratio, bool) or not isinstance(goal.ratio, int | float) or goal.ratio <= 0:
        raise RunError(f"{origin}: goal {number}: `ratio` must be a number above zero")
    return goal


def check_goals(goals: Iterable[Goal], cases: Mapping[tuple[str, str], Collection[str]]) -> None:
    """Raises for a goal about nothing; before hours of measuring, not after them.

    ``cases`` gives the peers of each item and case.
    """
    for goal in goals:
        for case in (goal.case, goal.against or goal.case):
            known = cases.get((goal.item, case), ())
            if not known:
                raise RunError(f"a goal is about {goal.item}, {case}, which is no case")
            if goal.peer not in (FASTEST, NOTHING) and goal.peer not in known:
                raise RunError(f"a goal for {case} names {goal.peer}, who takes no part in it")
        if goal.metric not in METRICS:
            raise RunError(f"a goal for {goal.case} is about {goal.metric}, which nobody measures")
