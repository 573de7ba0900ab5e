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

        def make(name: str = name, path: Path = path, pins: dict[str, str] = pins) -> None:
            progress(f"pip install {' '.join(pins)}")
            run([sys.executable, "-m", "venv", str(path)], path)
            # Nothing comes along that is not pinned.
            arguments = [str(python(name)), "-m", "pip", "install", "--no-deps"]
            run([*arguments, *(f"{package}=={version}" for package, version in pins.items())], path)

        ensure(path, pins, make)


def program(peer: Peer) -> list[str]:
    """How to start the adapter."""
    return [str(python(peer.environment)), "-B", str(ADAPTERS / "python" / peer.adapter)]


def python(environment: str) -> Path:
    """The Python of an environment."""
    return directory(Kind.PIP, environment) / "bin" / "python"
