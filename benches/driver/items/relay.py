"""The relay as a server: frames, many connections, durable messages, starting and reconnecting."""

import json
from collections.abc import Mapping
from pathlib import Path

from ..install import servers
from ..paths import PEERS_FILE
from ..peers import load_peers
from ..samples import BASE_MEMORY, CONNECTION_MEMORY, IDLE_CPU, P50, P99, RATE
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

# How far the frames of two peers may differ in length, as a share.
SAME_LENGTH = 0.05


def generate(directory: Path) -> None:
    """Writes where the servers are: all else comes into being when they run."""
    programs = servers.programs(load_peers(PEERS_FILE).values())
    (directory / FILE).write_text(json.dumps(programs), encoding="utf-8")


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


def equals(expected: object) -> Gate:
    """Everybody says the same, and this."""

    def gate(answers: Answers, _data: Path) -> list[str]:
        wrong = ((peer, answer) for peer, answer in answers.items() if answer != expected)
        return [f"{peer} says {answer}, not {expected}" for peer, answer in wrong]

    return gate


RELAY = Item(
    name="relay",
    generate=generate,
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
    ),
)
