"""Servers that an adapter starts: built from sources, or found on the machine."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ..errors import RunError
from ..paths import ADAPTERS, BENCHES, REPOSITORY, cache
from ..peers import Peer, Server
from . import debian, pip
from .command import run

# Where Debian puts servers, which is not in everybody's path.
SYSTEM_PATHS = ("/usr/sbin", *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"))))


def install(peers: Iterable[Peer], progress: Callable[[str], None]) -> None:
    """Builds or looks for the server of each peer that has one."""
    for peer in peers:
        match peer.server:
            case Server.PRODUCT:
                progress("cargo build assent")
                target = {"CARGO_TARGET_DIR": str(_product())}
                run(["cargo", "build", "--profile", "dist", "--package", "assent"], REPOSITORY, target)
                put_aside(_product() / "dist" / "assent", _program(peer))
            case Server.SOURCE:
                progress(f"c++ {peer.name}")
                _compile(peer)
            case Server.SYSTEM:
                check_version(peer, _version(peer))
            case Server.DEBIAN:
                debian.install(peer, progress)
            case Server.PIP:
                pip.install([peer], progress)
            case None:
                pass


def programs(peers: Iterable[Peer]) -> dict[str, str]:
    """Where the servers are, by the names of their peers."""
    return {peer.name: str(_program(peer)) for peer in peers if peer.server}


def _program(peer: Peer) -> Path:
    match peer.server:
        case Server.PRODUCT:
            return cache() / "servers" / peer.name
        case Server.SOURCE:
            return _sources() / peer.name
        case Server.DEBIAN:
            return debian.program(peer)
        case Server.PIP:
            return pip.python(peer.environment)
        case _:
            path = os.pathsep.join((os.environ.get("PATH", ""), *SYSTEM_PATHS))
            found = shutil.which(peer.program, path=path)
            return Path(found or peer.program)


def put_aside(built: Path, program: Path) -> None:
    """Copies a program, so that whoever builds it anew does not take it away while it is measured."""
    program.parent.mkdir(parents=True, exist_ok=True)
    copy = program.with_suffix(".new")
    shutil.copy2(built, copy)
    copy.replace(program)


def check_version(peer: Peer, said: str) -> None:
    """The table must not claim another version than what runs."""
    words = said.replace("v", " ").split()
    if not any(word == peer.version or word.startswith(f"{peer.version}.") for word in words):
        raise RunError(f"{peer.name} {peer.version} is in peers.toml, but here is: {said.strip()}")


def _version(peer: Peer) -> str:
    program = _program(peer)
    try:
        return subprocess.run(
            [program, "--version"], capture_output=True, check=True, encoding="utf-8"
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise RunError(f"{peer.name} has to be installed on this machine: {error}") from error


def _compile(peer: Peer) -> None:
    """Compiles our server against the sources that come with a crate. Its build script does not run."""
    _sources().mkdir(parents=True, exist_ok=True)
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1"],
        cwd=BENCHES,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    sources = crate_directory(json.loads(metadata.stdout), peer) / "uWebSockets"
    sockets = sources / "uSockets" / "src"
    common = ["-O3", "-DLIBUS_NO_SSL", f"-I{sockets}"]
    objects = []
    for source in (*sorted(sockets.glob("*.c")), sockets / "eventing" / "epoll_kqueue.c"):
        made = str(_sources() / f"{source.stem}.o")
        run(["cc", *common, "-c", str(source), "-o", made], _sources())
        objects.append(made)
    server = str(ADAPTERS / "cpp" / f"{peer.name}.cpp")
    flags = [*common, "-std=c++20", "-DUWS_NO_ZLIB", f"-I{sources / 'src'}"]
    run(["c++", *flags, server, *objects, "-o", str(_program(peer))], _sources())


def crate_directory(metadata: Mapping, peer: Peer) -> Path:
    """Where Cargo has put the crate of a peer."""
    for package in metadata["packages"]:
        if (package["name"], package["version"]) == (peer.library, peer.version):
            return Path(package["manifest_path"]).parent
    raise RunError(f"{peer.library} {peer.version} is in peers.toml, but not in Cargo.lock")


def _product() -> Path:
    return cache() / "product"


def _sources() -> Path:
    return cache() / "cpp"
