"""The parts of a benchmark."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

# Takes the answers of all peers and the directory of the data; returns what is wrong with them.
Gate = Callable[[Mapping[str, object], Path], list[str]]


@dataclass(frozen=True)
class Case:
    """One piece of work that all its peers do."""

    name: str
    # What is done, for the head of the table.
    title: str
    # What one operation is: "document" makes "µs per document".
    unit: str
    # By their names in peers.toml.
    peers: tuple[str, ...]
    gate: Gate
    # What is measured and shown beside CPU time, wall time and memory.
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """Cases that share their data."""

    name: str
    cases: tuple[Case, ...]
    # Writes the data into a directory.
    generate: Callable[[Path], None]
    # Makes what takes long and is kept, unless it is there; takes that directory, and tells what it does.
    keep: Callable[[Path, Callable[[str], None]], None] = lambda _data, _progress: None

    @property
    def peers(self) -> tuple[str, ...]:
        """Everyone who takes part in some case."""
        return tuple(dict.fromkeys(peer for case in self.cases for peer in case.peers))
