"""The relay as a server: frames, many connections, durable messages, starting and reconnecting."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from ..install import cargo, servers
from ..install.command import run
from ..paths import PEERS_FILE, REPOSITORY, cache
from ..peers import load_peers
from ..samples import (
    BASE_MEMORY,
    BINARY,
    CONNECTION_MEMORY,
    IDLE_CPU,
    P50,
    P99,
    RATE,
    RETRIES,
    SERVED,
)
from .item import Case, Gate, Item

Answers = Mapping[str, object]

OURS = "assent-serve"

# Where the servers are; adapters read it.
FILE = "programs.json"

# How many connections.
CONNECTIONS = (100, 5_000)

# The short frame that everybody answers with; the limit gives back what it got.
SHORT_REPLY = 17
ECHO = "raw-tcp"

# Senders, each of whom waits until its message is stored, and how many messages each sends for the gate.
SENDERS = {
    32: (OURS, "assent-http", "assent-postgres", "postgres", "redis", "group-commit"),
    16: (OURS, "synapse"),
    1: (OURS, "assent-http", "assent-postgres", "postgres", "redis", "group-commit", "fdatasync"),
}
MESSAGES = 20

# People who use an agent that changes.
PEOPLE = {"100": 100, "1k": 1_000, "10k": 10_000}

# How far the frames of two peers may differ in length, as a share.
SAME_LENGTH = 0.05


def generate(directory: Path) -> None:
    """Writes where the servers are, and the store with many people."""
    programs = servers.programs(load_peers(PEERS_FILE).values())
    places = programs | {"people": str(people())}
    (directory / FILE).write_text(json.dumps(places), encoding="utf-8")


def keep_people(directory: Path, progress: Callable[[str], None]) -> None:
    """Makes the store with many people, once for each schema: ten thousand passwords are hashed."""
    if not (people() / "agents.json").exists():
        progress(f"making a store with {max(PEOPLE.values()):,} people, which takes minutes, once")
    run([*cargo.program(load_peers(PEERS_FILE)[OURS]), "people", str(directory)], directory)


def people() -> Path:
    """Where that store is."""
    return cache() / f"people-{schema()}"


def schema(folder: Path = REPOSITORY / "crates" / "relay" / "src" / "storage" / "schema") -> str:
    """What changes whenever a store that was made before is of no use any more."""
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def answered_once(connections: int) -> Gate:
    """Every client gets one answer to one frame."""

    def gate(answers: Answers, _data: Path) -> list[str]:
        problems = []
        for peer, answer in answers.items():
            wanted = {"asked": connections, "answered_once": connections}
            if peer != ECHO:
                wanted["reply_bytes"] = SHORT_REPLY
            if not isinstance(answer, dict) or not wanted.items() <= answer.items():
                problems.append(f"{peer} says {answer}, not {wanted}")
        return problems

    return gate


def reached_all(subscribers: int) -> Gate:
    """Every subscriber gets every publication, and those of all peers are about as long."""

    def gate(answers: Answers, _data: Path) -> list[str]:
        problems, lengths = [], set()
        for peer, answer in answers.items():
            if not isinstance(answer, dict) or answer.get("reached") != subscribers:
                problems.append(f"{peer} says {answer}, not that it reached {subscribers}")
            else:
                lengths.update(answer["frame_bytes"])
        if lengths and max(lengths) > (1 + SAME_LENGTH) * min(lengths):
            problems.append(f"the frames are of different lengths: {sorted(lengths)}")
        return problems

    return gate


def all_found(senders: int) -> Gate:
    """What was accepted is there after a crash, all of it."""
    messages = senders * MESSAGES
    return equals({"accepted": messages, "found": messages})


def equals(expected: object) -> Gate:
    """Everybody says the same, and this."""

    def gate(answers: Answers, _data: Path) -> list[str]:
        wrong = ((peer, answer) for peer, answer in answers.items() if answer != expected)
        return [f"{peer} says {answer}, not {expected}" for peer, answer in wrong]

    return gate


RELAY = Item(
    name="relay",
    generate=generate,
    keep=keep_people,
    cases=(
        *(
            Case(
                name=f"frame-{count}",
                title=f"a frame of 256 B and a short one back, {count:,} sockets in a closed loop",
                unit="frame",
                peers=(OURS, "uwebsockets", "raw-tcp"),
                gate=answered_once(count),
                figures=(RATE,),
            )
            for count in CONNECTIONS
        ),
        *(
            Case(
                name=f"fanout-{count}",
                title=f"one event to {count:,} sockets; p50 and p99 until all have it",
                unit="delivery",
                peers=(OURS, "uwebsockets"),
                gate=reached_all(count),
                figures=(P50, P99),
            )
            for count in CONNECTIONS
        ),
        Case(
            name="idle",
            title="10,000 sockets on which nothing happens; CPU time to let one in",
            unit="socket",
            peers=(OURS, "uwebsockets", "nats-server", "raw-tcp"),
            gate=equals(100),
            figures=(CONNECTION_MEMORY, BASE_MEMORY, IDLE_CPU),
        ),
        *(
            Case(
                name=f"durable-{count}",
                title=f"a message of 1 KiB is stored, {count} senders who wait for that",
                unit="message",
                peers=peers,
                gate=all_found(count),
                figures=(RATE,),
            )
            for count, peers in SENDERS.items()
        ),
        Case(
            name="paced",
            title="200 messages a second; p50 and p99 from the sender to the recipient's socket",
            unit="message",
            peers=(OURS, "raw-tcp-fdatasync"),
            gate=equals(100),
            figures=(P50, P99),
        ),
        Case(
            name="hold",
            title="11,000 sockets break at once and come back while messages are sent",
            unit="socket",
            peers=(OURS,),
            gate=equals(
                {"back": 11_000, "messages": True, "pongs": True, "lost": 0, "repeated": 0}
            ),
            figures=(SERVED, RETRIES),
        ),
        Case(
            name="start",
            title="from nothing to ready, with a store that is there already",
            unit="start",
            peers=(OURS, "nats-server"),
            gate=equals("started"),
            figures=(P50, BASE_MEMORY, BINARY),
        ),
        *(
            Case(
                name=f"reauth-{size}",
                title=f"a manifest changes, and {count:,} people are asked again",
                unit="person",
                peers=(OURS,),
                gate=equals({"breaking": 1, "asked": count}),
            )
            for size, count in PEOPLE.items()
        ),
    ),
)
