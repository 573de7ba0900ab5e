"""Packages of Debian, unpacked into the cache: nothing is installed on the machine."""

import shutil
from collections.abc import Callable
from pathlib import Path

from ..errors import RunError
from ..paths import cache
from ..peers import Peer
from .command import run
from .environment import ensure


def install(peer: Peer, progress: Callable[[str], None]) -> None:
    """Fetches and unpacks what is not there yet."""
    path = _directory(peer)

    def make() -> None:
        progress(f"apt-get download {' '.join(peer.pins)}")
        run(["apt-get", "download", *peer.pins], path)
        for package, version in peer.pins.items():
            archive = next(path.glob(f"{package}_*.deb"), None)
            if archive is None or upstream(archive.name) != version:
                raise RunError(f"{package} {version} is in peers.toml, but here is: {archive}")
            run(["dpkg-deb", "--extract", str(archive), str(path / "root")], path)
        _libraries(path)

    ensure(path, peer.pins, make)


def upstream(archive: str) -> str:
    """The version of a package without what Debian has added to it.

    ``redis-server_5%3a7.0.15-1~deb12u10_amd64.deb`` holds version 7.0.15.
    """
    version = archive.split("_")[1].replace("%3a", ":")
    return version.rpartition(":")[2].rpartition("-")[0] or version


def program(peer: Peer) -> Path:
    """A script that starts the server with the libraries that came along."""
    return _directory(peer) / peer.program


def _libraries(path: Path) -> None:
    """Puts all libraries into one directory, and writes the scripts that use it."""
    libraries = path / "libraries"
    libraries.mkdir()
    for library in (path / "root").rglob("*.so*"):
        shutil.copy(library, libraries)
    for binary in (path / "root" / "usr" / "bin").iterdir():
        script = path / binary.name
        line = f'LD_LIBRARY_PATH="{libraries}" exec "{binary}" "$@"'
        script.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        script.chmod(0o755)


def _directory(peer: Peer) -> Path:
    return cache() / "debian" / peer.name
