"""Whether the goals are met."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from .errors import RunError
from .goals import FASTEST, NOTHING, Goal
from .peers import Peer, Role
from .samples import Summaries
from .summary import Summary


class Outcome(StrEnum):
    """How a goal ended."""

    PASS = "pass"
    FAIL = "fail"
    # The machine was too busy to tell.
    NOISY = "noisy"


@dataclass(frozen=True)
class Verdict:
    """A goal and how it ended."""

    goal: Goal
    # Who we were compared with, which the goal may leave open.
    peer: str
    ratio: float
    outcome: Outcome

    @property
    def is_failure(self) -> bool:
        """Whether the run must end with a failure."""
        return self.outcome is Outcome.FAIL and not self.goal.stretch


def judge(goals: Iterable[Goal], summaries: Summaries, peers: Mapping[str, Peer]) -> list[Verdict]:
    """A verdict for each goal."""
    ours = next(peer.name for peer in peers.values() if peer.role is Role.OURS)
    return [_judge(goal, ours, summaries, peers) for goal in goals]


def fastest_peer(
    case: str, metric: str, summaries: Summaries, peers: Mapping[str, Peer]
) -> str | None:
    """The peer with the smallest median; neither we nor limits count."""
    medians = {
        name: summary.median
        for (of_case, name, of_metric), summary in summaries.items()
        if (of_case, of_metric) == (case, metric) and peers[name].role is Role.PEER
    }
    return min(medians, key=medians.__getitem__) if medians else None


def _judge(goal: Goal, ours: str, summaries: Summaries, peers: Mapping[str, Peer]) -> Verdict:
    name: str | None = goal.peer
    their_case = goal.against or goal.case
    if name == FASTEST:
        name = fastest_peer(their_case, goal.metric, summaries, peers)
    our_summary = summaries.get((goal.case, ours, goal.metric))
    their_summary = summaries.get((their_case, name or "", goal.metric))
    if name == NOTHING:
        their_summary = Summary.of([1.0])
    if name is None or our_summary is None or their_summary is None:
        raise RunError(f"nothing was measured for the goal {goal.case}, {goal.metric}, {goal.peer}")
    ratio = our_summary.median / their_summary.median
    if our_summary.is_noisy or their_summary.is_noisy:
        outcome = Outcome.NOISY
    else:
        outcome = Outcome.PASS if goal.is_met_by(ratio) else Outcome.FAIL
    return Verdict(goal, name, ratio, outcome)
