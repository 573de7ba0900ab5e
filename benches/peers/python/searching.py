"""The item ``search`` for Python adapters: everything but the engine."""

import json
import math
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from harness import Request, Work

LIMIT = 10
JUDGED = 5


class Engine(Protocol):
    """An index of tools."""

    def search(self, query: str, limit: int) -> list[int]:
        """The places of the best tools, best first."""


Build = Callable[[list[dict]], Engine]


def text_of(tool: dict) -> str:
    """All that a tool says about itself."""
    return " ".join(tool.get(field, "") for field in ("name", "title", "hint", "description"))


def prepare(request: Request, build: Build) -> Work:
    """The work of the case for an engine."""
    kind, name = request.case.split("-", 1)
    tools = _lines(request.data / f"{name}.tools.jsonl")
    match kind:
        case "query":
            return _querying(request.data, name, tools, build)
        case "build":
            return _building(tools, build)
        case "quality":
            return _judging(request.data, name, tools, build)
        case _:
            raise SystemExit(f"nobody runs the case {request.case} here")


def _lines(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def _querying(data: Path, name: str, tools: list[dict], build: Build) -> Work:
    before = _memory()
    engine = build(tools)
    index_kib = _memory() - before
    queries = [query["text"] for query in _lines(data / f"{name}.queries.jsonl")]
    probes = [probe["text"] for probe in _lines(data / f"{name}.probes.jsonl")]
    timings: list[float] = []

    def one_pass() -> int:
        for query in queries:
            start = time.process_time()
            engine.search(query, LIMIT)
            timings.append((time.process_time() - start) * 1e6)
        return len(queries)

    def figures() -> dict[str, float]:
        timings.sort()
        p50, p99 = (timings[len(timings) * share // 100] for share in (50, 99))
        return {
            "p50_us": p50,
            "p99_us": p99,
            "p99_per_p50": p99 / p50,
            "index_kib": float(index_kib),
        }

    def best(probe: str) -> str | None:
        found = engine.search(probe, 1)
        return tools[found[0]]["id"] if found else None

    return Work(lambda: [best(probe) for probe in probes], one_pass, timings.clear, figures)


def _building(tools: list[dict], build: Build) -> Work:
    def answer() -> int | None:
        query = f"{tools[-1]['name']} {tools[-1]['description']}"
        found = build(tools).search(query, 1)
        return found[0] + 1 if found else None

    def one_pass() -> int:
        build(tools)
        return 1

    return Work(answer, one_pass)


def _judging(data: Path, name: str, tools: list[dict], build: Build) -> Work:
    engine = build(tools)
    queries = _lines(data / f"{name}.queries.jsonl")

    def gain(query: dict) -> float:
        relevant = set(query["rel"])
        found = [tools[place]["id"] for place in engine.search(query["text"], JUDGED)]
        gained = sum(_discount(rank) for rank, tool in enumerate(found) if tool in relevant)
        return gained / sum(map(_discount, range(min(JUDGED, len(relevant)))))

    def mean_gain() -> float:
        return sum(map(gain, queries)) / len(queries)

    def one_pass() -> int:
        for query in queries:
            engine.search(query["text"], JUDGED)
        return len(queries)

    return Work(
        answer=lambda: {"queries": len(queries), "ndcg_at_5": mean_gain()},
        one_pass=one_pass,
        figures=lambda: {"ndcg_at_5": mean_gain()},
    )


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 2)


def _memory() -> int:
    status = Path("/proc/self/status").read_text("utf-8")
    found = re.search(r"^VmRSS:\s*(\d+) kB$", status, re.MULTILINE)
    return int(found[1]) if found else 0

