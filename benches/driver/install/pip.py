"""Packages for Python, in virtual environments."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..paths import ADAPTERS
from ..peers import Kind, Peer
from .command import run
from .environment import by_environment, directory, ensure


def install(peers: Sequence[Peer], progress: Callable[[str], None]) -> None:
    """Installs the packages of all environments."""
    for name, pins in by_environment(peers).items():
        path = directory(Kind.PIP, name)

        def make(path: Path = path, pins: dict[str, str] = pins) -> None:
            progress(f"pip install {' '.join(pins)}")
            run([sys.executable, "-m", "venv", str(path)], path)
            # Nothing comes along that is not pinned.
            arguments = [str(_python(path)), "-m", "pip", "install", "--no-deps"]
            run([*arguments, *(f"{package}=={version}" for package, version in pins.items())], path)

        ensure(path, pins, make)


def program(peer: Peer) -> list[str]:
    """How to start the adapter."""
    python = _python(directory(Kind.PIP, peer.environment))
    return [str(python), "-B", str(ADAPTERS / "python" / peer.adapter)]


def _python(environment: Path) -> Path:
    return environment / "bin" / "python"
