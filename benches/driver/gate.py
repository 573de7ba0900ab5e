"""Nothing is timed before all peers have been seen to do the same work, and to do it right."""

from collections.abc import Mapping
from pathlib import Path

from .adapters import Adapter
from .errors import RunError
from .items.item import Item


def check(item: Item, adapters: Mapping[str, Adapter], data: Path) -> None:
    """Asks every peer for its answer in every case. Raises with all problems at once."""
    problems: list[str] = []
    for case in item.cases:
        answers = {peer: adapters[peer].answer(case.name) for peer in case.peers}
        problems += [f"{case.name}: {problem}" for problem in case.gate(answers, data)]
    if problems:
        raise RunError("the gate is closed, nothing was measured:\n  " + "\n  ".join(problems))
