"""Where things are."""

import os
from pathlib import Path

BENCHES = Path(__file__).resolve().parent.parent
REPOSITORY = BENCHES.parent

PEERS_FILE = BENCHES / "peers.toml"
GOALS_FILE = BENCHES / "goals.toml"
LOCK_FILE = BENCHES / "Cargo.lock"
ADAPTERS = BENCHES / "peers"
HAND_WRITTEN_DATA = BENCHES / "data"
RESULTS = BENCHES / "out"


def cache() -> Path:
    """What is installed, built and generated lies outside the tree, and survives ``git clean``."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "assent-bench"
