"""Searching tools: how fast, how large, and how well."""

import json
import random
from collections.abc import Mapping
from pathlib import Path

from ..data import SEED
from ..data.search_tools import LABELLED, copy_labelled, write_synthetic
from ..samples import INDEX_MEMORY, NDCG, P50, P99, TAIL
from .item import Case, Gate, Item

Answers = Mapping[str, object]

SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000}

ENGINES = ("assent", "tantivy", "bm25s")
SCAN = "substring-scan"


def generate(directory: Path) -> None:
    """Writes all files of the item."""
    for name, count in SIZES.items():
        write_synthetic(directory, name, count, random.Random(f"{SEED} search {name}"))
    copy_labelled(directory)


def finds_probes(size: str) -> Gate:
    """Everybody finds the one tool that has the words."""

    def gate(answers: Answers, data: Path) -> list[str]:
        lines = (data / f"{size}.probes.jsonl").read_text("utf-8").splitlines()
        expected = [json.loads(line)["rel"][0] for line in lines]
        wrong = {peer: found for peer, found in answers.items() if found != expected}
        return [f"{peer} finds {found}, not {expected}" for peer, found in wrong.items()]

    return gate


def took_all(size: str) -> Gate:
    """Everybody finds the last tool by its text, so it took in all of them."""

    def gate(answers: Answers, _: Path) -> list[str]:
        wrong = {peer: count for peer, count in answers.items() if count != SIZES[size]}
        return [f"{peer} finds {count} as the last tool" for peer, count in wrong.items()]

    return gate


def found_only_while_there(answers: Answers, _: Path) -> list[str]:
    """A tool is found after it was added, and neither before nor after."""
    key = 2**32 - 1
    wrong = {peer: found for peer, found in answers.items() if found != [None, key, None]}
    return [f"{peer} finds {found} before, with and without it" for peer, found in wrong.items()]


def judged_all(name: str) -> Gate:
    """Everybody answers all queries, some of them well."""

    def gate(answers: Answers, data: Path) -> list[str]:
        count = len((data / f"{name}.queries.jsonl").read_text("utf-8").splitlines())
        problems = []
        for peer, answer in answers.items():
            judged: dict = answer  # type: ignore[assignment]
            if judged["queries"] != count or not 0 < judged["ndcg_at_5"] <= 1:
                problems.append(f"{peer} answers {judged}, with {count} queries")
        return problems

    return gate


SEARCH = Item(
    name="search",
    generate=generate,
    cases=(
        *(
            Case(
                name=f"query-{size}",
                title=f"3 to 9 words to the 10 best of {count:,} tools",
                unit="query",
                peers=(*ENGINES, SCAN),
                gate=finds_probes(size),
                figures=(P50, P99, TAIL, INDEX_MEMORY),
            )
            for size, count in SIZES.items()
        ),
        Case(
            name="build-10k",
            title="10,000 tools to an index",
            unit="index",
            peers=ENGINES,
            gate=took_all("10k"),
        ),
        Case(
            name="add-100k",
            title="one tool into an index of 100,000, and out again; p50 and p99 of going in",
            unit="tool",
            peers=("assent",),
            gate=found_only_while_there,
            figures=(P50, P99),
        ),
        *(
            Case(
                name=f"quality-{name}",
                title="queries to the 5 best tools, against those that people named",
                unit="query",
                peers=ENGINES,
                gate=judged_all(name),
                figures=(NDCG,),
            )
            for name in LABELLED
        ),
    ),
)
