"""An installed set of packages, which is made anew when a pin changes."""

import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from ..errors import RunError
from ..paths import cache
from ..peers import Kind, Peer

STAMP = "installed.json"


def directory(kind: Kind, name: str) -> Path:
    """Where an environment lies."""
    return cache() / kind / name


def by_environment(peers: Iterable[Peer]) -> dict[str, dict[str, str]]:
    """The pins of each environment."""
    environments: dict[str, dict[str, str]] = {}
    for peer in peers:
        pins = environments.setdefault(peer.environment, {})
        for package, version in peer.pins.items():
            if pins.setdefault(package, version) != version:
                raise RunError(
                    f"{peer.name} wants {package} {version}, another peer of the environment"
                    f" {peer.environment} wants {pins[package]}: give it an environment of its own"
                )
    return environments


def ensure(path: Path, pins: dict[str, str], make: Callable[[], None]) -> None:
    """Makes the environment unless it is there with exactly these pins."""
    stamp = path / STAMP
    if stamp.exists() and json.loads(stamp.read_text("utf-8")) == pins:
        return
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    make()
    stamp.write_text(json.dumps(pins), encoding="utf-8")
