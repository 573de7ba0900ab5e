"""Installs peers and builds adapters, into the cache and by exact version."""

from collections.abc import Callable, Iterable

from ..peers import Kind, Peer
from . import cargo, npm, pip, servers


def install(peers: Iterable[Peer], progress: Callable[[str], None]) -> None:
    """Installs what is missing. What is there already costs next to nothing."""
    peers = list(peers)
    for kind, module in ((Kind.CARGO, cargo), (Kind.NPM, npm), (Kind.PIP, pip)):
        if chosen := [peer for peer in peers if peer.kind is kind]:
            module.install(chosen, progress)
    servers.install(peers, progress)
