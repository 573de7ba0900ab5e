"""Searching tools with bm25s: English stems, no stop words, name and description as one text."""

import json
import math
import re
import time
from pathlib import Path

import bm25s
import Stemmer
from harness import Request, Work, run

LIMIT = 10
JUDGED = 5


class Engine:
    """An index of tools."""

    def __init__(self, tools: list[dict]) -> None:
        self._stemmer = Stemmer.Stemmer("english")
        self._size = len(tools)
        fields = ("name", "title", "hint", "description")
        texts = [" ".join(tool.get(field, "") for field in fields) for tool in tools]
        self._retriever = bm25s.BM25()
        self._retriever.index(self._tokens(texts), show_progress=False)

    def search(self, query: str, limit: int) -> list[int]:
        """The places of the best tools, best first."""
        tokens = self._tokens([query])
        found, scores = self._retriever.retrieve(
            tokens, k=min(limit, self._size), show_progress=False
        )
        return [
            int(place) for place, score in zip(found[0], scores[0], strict=True) if score > 0
        ]

    def _tokens(self, texts: list[str]) -> object:
        return bm25s.tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)


def prepare(request: Request) -> Work:
    """Reads the tools of the case."""
    kind, name = request.case.split("-", 1)
    tools = _lines(request.data / f"{name}.tools.jsonl")
    match kind:
        case "query":
            return _querying(request.data, name, tools)
        case "build":
            return _building(tools)
        case "quality":
            return _judging(request.data, name, tools)
        case _:
            raise SystemExit(f"bm25s does not run the case {request.case}")


def _lines(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def _querying(data: Path, name: str, tools: list[dict]) -> Work:
    before = _memory()
    engine = Engine(tools)
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


def _building(tools: list[dict]) -> Work:
    def answer() -> int | None:
        query = f"{tools[-1]['name']} {tools[-1]['description']}"
        found = Engine(tools).search(query, 1)
        return found[0] + 1 if found else None

    def one_pass() -> int:
        Engine(tools)
        return 1

    return Work(answer, one_pass)


def _judging(data: Path, name: str, tools: list[dict]) -> Work:
    engine = Engine(tools)
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


if __name__ == "__main__":
    run(prepare)
