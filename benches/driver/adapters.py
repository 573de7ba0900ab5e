"""Starts adapters: our own thin programs, one for each peer, all called in the same way."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .errors import RunError
from .install import cargo, npm, pip
from .peers import Kind, Peer
from .samples import Sample, parse_samples

# An adapter that takes longer hangs.
TIMEOUT_SECONDS = 300


@dataclass(frozen=True)
class Adapter:
    """Runs one peer on the data of one item."""

    item: str
    peer: Peer
    data: Path

    def answer(self, case: str) -> object:
        """What the peer makes of the data."""
        try:
            return json.loads(self._run("answer", case))["answer"]
        except (ValueError, KeyError, TypeError) as error:
            raise RunError(f"{self.peer.name}, {case}: not an answer: {error}") from error

    def measure(self, case: str, cpu_ms: int, round_number: int) -> list[Sample]:
        """What the work costs, over at least so much CPU time."""
        return parse_samples(self._run("measure", case, str(cpu_ms)), round_number)

    def _run(self, mode: str, case: str, *more: str) -> str:
        request = [mode, self.item, case, self.peer.name, str(self.data), *more]
        try:
            done = subprocess.run(
                [*_program(self.peer), *request],
                capture_output=True,
                check=False,
                encoding="utf-8",
                env=_environment(),
                timeout=TIMEOUT_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RunError(f"{self.peer.name}, {case}: {error}") from error
        if done.returncode != 0:
            raise RunError(f"{self.peer.name}, {case}: failed\n{done.stderr.strip()}")
        return done.stdout


def _program(peer: Peer) -> list[str]:
    match peer.kind:
        case Kind.CARGO:
            return cargo.program(peer)
        case Kind.NPM:
            return npm.program(peer)
        case Kind.PIP:
            return pip.program(peer)


def _environment() -> dict[str, str]:
    """Ours without what would change how the peers run."""
    unwanted = ("NODE_OPTIONS", "PYTHONPATH", "PYTHONHOME", "MALLOC_ARENA_MAX", "LD_PRELOAD")
    return {name: value for name, value in os.environ.items() if name not in unwanted}
