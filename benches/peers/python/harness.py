"""What the Python adapters share; the protocol is described in peers/rust/harness/src/lib.rs."""

import json
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# Looking at the clock is not free, so it is done no more often than this.
LOOK_SECONDS = 0.002


@dataclass(frozen=True)
class Request:
    """Which case to run, and on which data."""

    case: str
    data: Path


@dataclass(frozen=True)
class Work:
    """The work of one peer in one case."""

    # The result, for the gate.
    answer: Callable[[], object]
    # Does the work once and returns how many operations that were.
    one_pass: Callable[[], int]
    # Called between warming up and measuring.
    begin: Callable[[], object] = lambda: None
    # Figures beyond CPU time, wall time and memory.
    figures: Callable[[], dict[str, float]] = dict


def run(prepare: Callable[[Request], Work]) -> None:
    """Runs an adapter; ``prepare`` does what does not count."""
    mode, item, case, peer, data, *cpu_milliseconds = sys.argv[1:]
    work = prepare(Request(case, Path(data)))
    if mode == "answer":
        lines = [{"answer": work.answer()}]
    else:
        lines = _measure(work, int(cpu_milliseconds[0]) / 1000)
    for line in lines:
        print(json.dumps({"item": item, "case": case, "peer": peer} | line))


def _measure(work: Work, target: float) -> list[dict[str, object]]:
    passes = _warm_up(work.one_pass, target / 2)
    work.begin()
    cpu_start, wall_start = time.process_time(), time.perf_counter()
    operations = 0
    while (cpu := time.process_time() - cpu_start) < target:
        for _ in range(passes):
            operations += work.one_pass()
    wall = time.perf_counter() - wall_start
    spent = {"cpu_us": cpu * 1e6, "wall_us": wall * 1e6}
    figures = {
        "cpu_us_per_op": cpu * 1e6 / operations,
        "wall_us_per_op": wall * 1e6 / operations,
        "peak_rss_kib": _peak_memory(),
    } | work.figures()
    return [{"metric": metric, "value": value} | spent for metric, value in figures.items()]


def _warm_up(one_pass: Callable[[], int], target: float) -> int:
    """Fills caches and finds out how many passes to make between two looks at the clock."""
    start = time.process_time()
    passes = 1
    while time.process_time() - start < target:
        batch = time.process_time()
        for _ in range(passes):
            one_pass()
        if time.process_time() - batch < LOOK_SECONDS:
            passes *= 2
    return passes


def _peak_memory() -> int:
    status = Path("/proc/self/status").read_text("utf-8")
    found = re.search(r"^VmHWM:\s*(\d+) kB$", status, re.MULTILINE)
    return int(found[1]) if found else 0
