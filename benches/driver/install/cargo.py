"""Rust adapters: built with the `dist` profile of the product, each package by itself.

Building them together would unite the features of the crates they share, so that one peer could
change how another is compiled. The lock file is kept up to date rather than enforced: a new
dependency of the product must not stop the benchmark, and Cargo.toml pins the peers anyway.
"""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import RunError
from ..paths import BENCHES, LOCK_FILE, cache
from ..peers import Peer
from .command import run


def install(peers: Sequence[Peer], progress: Callable[[str], None]) -> None:
    """Builds the adapters of the peers."""
    for package in dict.fromkeys(peer.adapter for peer in peers):
        progress(f"cargo build {package}")
        arguments = ["cargo", "build", "--profile", "dist", "--package", package]
        run(arguments, BENCHES, {"CARGO_TARGET_DIR": str(_target())})
    check_versions(peers, tomllib.loads(LOCK_FILE.read_text("utf-8")))


def program(peer: Peer) -> list[str]:
    """How to start the adapter."""
    return [str(_target() / "dist" / peer.adapter)]


def check_versions(peers: Sequence[Peer], lock: dict) -> None:
    """The table must not claim another version than what was built."""
    locked = {(package["name"], package["version"]) for package in lock["package"]}
    for peer in (peer for peer in peers if peer.is_locked):
        for library, version in peer.pins.items():
            if (library, version) not in locked:
                raise RunError(f"{library} {version} is in peers.toml, but not in Cargo.lock")


def _target() -> Path:
    return cache() / "target"
