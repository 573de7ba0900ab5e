"""Measures everything several times, interleaved.

A machine is never equally busy for long. If one peer ran all its rounds and then the next, a quiet
minute would look like a fast peer; so each round runs all of them, in an order of its own.
"""

import random
from collections.abc import Callable, Iterator, Mapping

from .adapters import Adapter
from .items.item import Item
from .samples import Sample

SEED = 8785


def schedule(item: Item, rounds: int, seed: int = SEED) -> Iterator[tuple[int, str, str]]:
    """Round, case and peer of each measurement, in order."""
    random_source = random.Random(seed)
    pairs = [(case.name, peer) for case in item.cases for peer in case.peers]
    for round_number in range(1, rounds + 1):
        random_source.shuffle(pairs)
        for case, peer in pairs:
            yield round_number, case, peer


def measure(
    item: Item,
    adapters: Mapping[str, Adapter],
    rounds: int,
    cpu_ms: int,
    progress: Callable[[str], None],
) -> list[Sample]:
    """All samples of all rounds."""
    samples: list[Sample] = []
    current = 0
    for round_number, case, peer in schedule(item, rounds):
        if round_number != current:
            current = round_number
            progress(f"round {current} of {rounds}")
        samples += adapters[peer].measure(case, cpu_ms, round_number)
    return samples
