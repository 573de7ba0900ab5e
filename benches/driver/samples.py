"""What adapters print: one JSON object per line."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from .errors import RunError
from .summary import Summary

CPU = "cpu_us_per_op"
WALL = "wall_us_per_op"
MEMORY = "peak_rss_kib"
# Of single operations; the last is how far the slowest hundredth is from the middle.
P50 = "p50_us"
P99 = "p99_us"
TAIL = "p99_per_p50"
# What the process grew by while it built an index.
INDEX_MEMORY = "index_kib"
# How good hits are, from 0 to 1.
NDCG = "ndcg_at_5"
# Of Rust adapters that can count them.
ALLOCATIONS = "allocations_per_op"
ALLOCATED = "allocated_bytes_per_op"
# On the wall: what is bound by the disk is not told by CPU time.
RATE = "ops_per_s"
COMMITS = "commits_per_s"
SHARED = "ops_per_commit"
# Of servers: what a connection takes that does nothing, what the process has without any, and what part
# of a core it uses while nothing happens.
CONNECTION_MEMORY = "connection_kib"
BASE_MEMORY = "base_rss_kib"
IDLE_CPU = "idle_cpu_percent"
# After all connections broke: how long until all are back, and how many had to try again.
SERVED = "all_served_s"
RETRIES = "retries"
# The program without what is only for debuggers.
BINARY = "binary_kib"
METRICS = (
    *(CPU, WALL, MEMORY, P50, P99, TAIL, INDEX_MEMORY, NDCG),
    *(ALLOCATIONS, ALLOCATED, RATE, COMMITS, SHARED),
    *(CONNECTION_MEMORY, BASE_MEMORY, IDLE_CPU, SERVED, RETRIES, BINARY),
)


@dataclass(frozen=True)
class Sample:
    """One figure of one adapter in one round."""

    item: str
    case: str
    peer: str
    metric: str
    value: float
    # What the whole measurement took.
    cpu_us: float
    wall_us: float
    round: int

    def as_dict(self) -> dict[str, object]:
        """For the file of raw data."""
        return asdict(self)


def parse_samples(output: str, round_number: int) -> list[Sample]:
    """The samples that an adapter printed."""
    try:
        lines = [json.loads(line) for line in output.splitlines() if line]
        samples = [Sample(**line, round=round_number) for line in lines]
        # JSON has no infinity: what was divided by zero comes as nothing.
        if empty := [sample.metric for sample in samples if sample.value is None]:
            raise ValueError(f"no value for {', '.join(empty)}")
        return samples
    except (ValueError, TypeError) as error:
        raise RunError(f"an adapter printed what is not a sample: {error}") from error


# By case, peer and metric.
Summaries = dict[tuple[str, str, str], Summary]


def summarise(samples: Iterable[Sample]) -> Summaries:
    """One summary over all rounds for each case, peer and metric."""
    values: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for sample in samples:
        values[sample.case, sample.peer, sample.metric].append(sample.value)
    return {key: Summary.of(found) for key, found in values.items()}
