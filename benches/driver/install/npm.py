"""Packages for Node, next to copies of the adapters.

A module finds its packages by where it lies, so the adapters are copied to where the packages are.
"""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from ..paths import ADAPTERS
from ..peers import Kind, Peer
from .command import run
from .environment import by_environment, directory, ensure

SOURCES = ADAPTERS / "node"


def install(peers: Sequence[Peer], progress: Callable[[str], None]) -> None:
    """Installs the packages of all environments."""
    for name, pins in by_environment(peers).items():
        path = directory(Kind.NPM, name)

        def make(path: Path = path, pins: dict[str, str] = pins) -> None:
            progress(f"npm install {' '.join(pins)}")
            # Overrides reach the packages that others bring along.
            package = {"private": True, "type": "module", "dependencies": pins, "overrides": pins}
            (path / "package.json").write_text(json.dumps(package), encoding="utf-8")
            arguments = ["npm", "install", "--ignore-scripts", "--no-package-lock", "--no-audit"]
            run(arguments, path)

        ensure(path, pins, make)
        for source in SOURCES.glob("*.mjs"):
            shutil.copy(source, path)


def program(peer: Peer) -> list[str]:
    """How to start the adapter."""
    return ["node", str(directory(Kind.NPM, peer.environment) / peer.adapter)]
