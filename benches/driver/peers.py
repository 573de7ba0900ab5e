"""Who takes part: ``peers.toml``."""

import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from .errors import RunError


class Role(StrEnum):
    """What a peer's figures are for."""

    OURS = "ours"
    PEER = "peer"
    # What the same work costs without the layer that is measured.
    LIMIT = "limit"
    # Shown beside the others, and never taken for the fastest peer.
    REFERENCE = "reference"


class Kind(StrEnum):
    """How a peer is installed."""

    CARGO = "cargo"
    NPM = "npm"
    PIP = "pip"


class Server(StrEnum):
    """Where the server comes from that an adapter starts."""

    # The product itself, built from this repository.
    PRODUCT = "product"
    # Our own few lines of C++, with the sources in a crate.
    SOURCE = "source"
    # A program of this machine.
    SYSTEM = "system"
    # Packages of Debian, unpacked into the cache.
    DEBIAN = "debian"
    # Packages for Python, in an environment of their own.
    PIP = "pip"


@dataclass(frozen=True)
class Peer:
    """One program to measure."""

    name: str
    role: Role
    kind: Kind
    # The package of the adapter for cargo, its file otherwise.
    adapter: str
    # The published package and its exact version; neither for what is our own.
    library: str | None = None
    version: str | None = None
    # Packages that come along, by exact version, too.
    companions: dict[str, str] = field(default_factory=dict)
    # Peers of one environment are installed together; two that disagree get two environments.
    environment: str = "common"
    # The server that the adapter starts, if it does, and the name of its program.
    server: Server | None = None
    program: str = ""

    @property
    def is_locked(self) -> bool:
        """Whether Cargo.lock knows the version."""
        return self.kind is Kind.CARGO and self.server in (None, Server.PRODUCT, Server.SOURCE)

    @property
    def pins(self) -> dict[str, str]:
        """Every package to install, with its version."""
        own = {self.library: self.version} if self.library and self.version else {}
        return own | self.companions


def load_peers(file: Path) -> dict[str, Peer]:
    """The peers of a file, by name."""
    entries = tomllib.loads(file.read_text("utf-8")).get("peer", [])
    peers: dict[str, Peer] = {}
    for entry in entries:
        peer = _peer(entry, file)
        if peer.name in peers:
            raise RunError(f"{file}: two peers are called {peer.name}")
        peers[peer.name] = peer
    return peers


def _peer(entry: dict, file: Path) -> Peer:
    try:
        server = Server(entry["server"]) if "server" in entry else None
        words = {"role": Role(entry["role"]), "kind": Kind(entry["kind"]), "server": server}
        peer = Peer(**entry | words)
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{file}: the peer {entry.get('name', '?')}: {error}") from error
    if peer.role is Role.PEER and not peer.pins:
        raise RunError(f"{file}: the peer {peer.name} has no library and version")
    return peer
