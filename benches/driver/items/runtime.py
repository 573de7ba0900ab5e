"""Tool calls through the whole pipeline: alone, a thousand at once, and how the cost grows."""

import itertools
import json
import random
from collections.abc import Mapping
from pathlib import Path

from ..data import SEED
from ..data.calls import write_calls
from ..samples import ALLOCATED, ALLOCATIONS, COMMITS, RATE, SHARED
from .item import Case, Gate, Item

Answers = Mapping[str, object]

FILE = "calls.json"

# A thousand at once.
TOGETHER = 1_000

# How many calls one pipeline has taken, and how many tools there are.
CALLS = {"1k": 1_000, "10k": 10_000, "100k": 100_000}
TOOLS = {"10": 10, "1k": 1_000, "10k": 10_000, "100k": 100_000}

# Writes what calls leave, and takes none.
SQLITE = "sqlite"

PIPELINES = ("assent", "rmcp", "agentscope", "langchain-core", "straight-function")


def generate(directory: Path) -> None:
    """Writes all files of the item."""
    write_calls(directory / FILE, random.Random(f"{SEED} {FILE}"))


def answered(count: int | None = None) -> Gate:
    """Everybody says the same to every call: to so many, or to each text once."""

    def gate(answers: Answers, data: Path) -> list[str]:
        once = [call["answer"] for call in json.loads((data / FILE).read_bytes())["calls"]]
        expected = list(itertools.islice(itertools.cycle(once), count or len(once)))
        return [
            problem
            for peer, answer in answers.items()
            if (problem := _difference(peer, answer, expected))
        ]

    return gate


def _difference(peer: str, answer: object, expected: list[str]) -> str | None:
    """The first of them, as a thousand answers are too many to show."""
    if not isinstance(answer, list) or len(answer) != len(expected):
        return f"{peer} has not answered {len(expected)} calls: {str(answer)[:200]}"
    for found, wanted in zip(answer, expected, strict=True):
        if found != wanted:
            return f"{peer} says {found!r}, not {wanted!r}"
    return None


def answered_and_wrote(count: int) -> Gate:
    """We answer every call; the limit finds all rows again, at least one for each call."""

    def gate(answers: Answers, data: Path) -> list[str]:
        problems = answered(count)({"assent": answers["assent"]}, data)
        written, found = answers[SQLITE]  # type: ignore[misc]
        if found != written or written < count:
            problems.append(f"{SQLITE} finds {found} of {written} rows of {count} calls")
        return problems

    return gate


RUNTIME = Item(
    name="runtime",
    generate=generate,
    cases=(
        Case(
            name="call-alone",
            title="one call at a time, journal in memory; limit: a straight function",
            unit="call",
            peers=PIPELINES,
            gate=answered(),
            figures=(ALLOCATIONS, ALLOCATED),
        ),
        Case(
            name="call-1000",
            title="1,000 calls at once, journal in memory; limit: a straight function",
            unit="call",
            peers=PIPELINES,
            gate=answered(TOGETHER),
            figures=(ALLOCATIONS, ALLOCATED),
        ),
        Case(
            name="call-1000-sqlite",
            title="1,000 calls at once, journal in SQLite; limit: the same rows, as many commits",
            unit="call",
            peers=("assent", SQLITE),
            gate=answered_and_wrote(TOGETHER),
            figures=(RATE, COMMITS, SHARED),
        ),
        *(
            Case(
                name=f"calls-{size}",
                title=f"{count:,} calls in a row through a new pipeline, journal in memory",
                unit="call",
                peers=("assent",),
                gate=answered(),
            )
            for size, count in CALLS.items()
        ),
        *(
            Case(
                name=f"catalog-{size}",
                title=f"one call at a time among {count:,} tools and as many rules",
                unit="call",
                peers=("assent",),
                gate=answered(),
                figures=(ALLOCATIONS, ALLOCATED),
            )
            for size, count in TOOLS.items()
        ),
    ),
)
