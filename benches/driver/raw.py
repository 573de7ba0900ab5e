"""All that was measured, for programs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from .machine import describe
from .paths import RESULTS
from .peers import Peer
from .samples import Sample
from .verdicts import Verdict


@dataclass(frozen=True)
class Settings:
    """How a run was made."""

    item: str
    rounds: int
    cpu_ms: int
    seed: int
    load_before: str
    load_after: str


def write(
    settings: Settings,
    peers: Mapping[str, Peer],
    samples: Sequence[Sample],
    verdicts: Sequence[Verdict],
) -> Path:
    """Writes one file and returns its path."""
    moment = datetime.now(UTC)
    roles = {name: {"role": peer.role, "version": peer.version} for name, peer in peers.items()}
    content = {
        "at": moment.isoformat(timespec="seconds"),
        "settings": asdict(settings),
        "machine": describe(),
        "peers": roles,
        "samples": [sample.as_dict() for sample in samples],
        "verdicts": [asdict(verdict) for verdict in verdicts],
    }
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{settings.item}-{moment:%Y%m%dT%H%M%SZ}.json"
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return file
