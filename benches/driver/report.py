"""The table and the verdicts, for people."""

from collections.abc import Mapping, Sequence

from .goals import NOTHING
from .items.item import Case, Item
from .peers import Peer, Role
from .samples import (
    ALLOCATED,
    ALLOCATIONS,
    BASE_MEMORY,
    BINARY,
    COMMITS,
    CONNECTION_MEMORY,
    CPU,
    IDLE_CPU,
    INDEX_MEMORY,
    MEMORY,
    NDCG,
    P50,
    P99,
    RATE,
    RETRIES,
    SERVED,
    SHARED,
    TAIL,
    WALL,
    Summaries,
)
from .verdicts import Verdict, fastest_peer

HEAD = ("", "version", "CPU µs", "min–max", "wall µs", "ours ÷ it", "peak MiB")

# What further figures are called, and by what they are divided.
FIGURES = {
    P50: ("p50 µs", 1),
    P99: ("p99 µs", 1),
    TAIL: ("p99 ÷ p50", 1),
    INDEX_MEMORY: ("index MiB", 1024),
    NDCG: ("nDCG@5", 1),
    ALLOCATIONS: ("allocations", 1),
    ALLOCATED: ("allocated B", 1),
    RATE: ("per s", 1),
    COMMITS: ("commits/s", 1),
    SHARED: ("per commit", 1),
    CONNECTION_MEMORY: ("KiB each", 1),
    BASE_MEMORY: ("base MiB", 1024),
    IDLE_CPU: ("idle core %", 1),
    SERVED: ("all back s", 1),
    RETRIES: ("retries", 1),
    BINARY: ("binary MiB", 1024),
}


def table(item: Item, summaries: Summaries, peers: Mapping[str, Peer]) -> str:
    """One block per case."""
    return "\n\n".join(_block(case, summaries, peers) for case in item.cases)


def verdict_lines(verdicts: Sequence[Verdict]) -> str:
    """One line per goal."""
    rows = []
    for verdict in verdicts:
        goal = verdict.goal
        rows.append(
            (
                verdict.outcome.value + (" (stretch)" if goal.stretch else ""),
                goal.case,
                _compared(verdict),
                f"{_number(verdict.ratio)}",
                f"wanted {goal.op} {goal.ratio:g}",
            )
        )
    return _aligned(rows, left={0, 1, 2, 4})


def _compared(verdict: Verdict) -> str:
    """What the ratio is; the metric is named unless it is CPU time."""
    names = {CPU: "", WALL: "wall µs"} | {figure: name for figure, (name, _) in FIGURES.items()}
    named = names.get(verdict.goal.metric, verdict.goal.metric)
    if verdict.goal.peer == NOTHING:
        return f"our {named or 'CPU µs'}"
    fastest = " (fastest)" if verdict.goal.peer != verdict.peer else ""
    against = f" in {verdict.goal.against}" if verdict.goal.against else ""
    return f"ours ÷ {verdict.peer}{fastest}{against}{named and f', {named}'}"


def _block(case: Case, summaries: Summaries, peers: Mapping[str, Peer]) -> str:
    fastest = fastest_peer(case.name, CPU, summaries, peers)
    head_row = (*HEAD, *(FIGURES[figure][0] for figure in case.figures))
    rows = [head_row, *(_row(case, peers[name], fastest, summaries) for name in case.peers)]
    head = f"{case.name}: {case.title} (per {case.unit})"
    return head + "\n" + _aligned(rows, left={0, 1})


def _row(case: Case, peer: Peer, fastest: str | None, summaries: Summaries) -> tuple[str, ...]:
    cpu = summaries[case.name, peer.name, CPU]
    ours = summaries[case.name, case.peers[0], CPU]
    mark = {Role.PEER: " *" if peer.name == fastest else ""}.get(peer.role, f" ({peer.role})")
    return (
        f"  {peer.name}{mark}",
        peer.version or "",
        _number(cpu.median),
        f"{_number(cpu.low)}–{_number(cpu.high)}" + (" noisy" if cpu.is_noisy else ""),
        _number(summaries[case.name, peer.name, WALL].median),
        "" if peer.role is Role.OURS else _number(ours.median / cpu.median),
        f"{summaries[case.name, peer.name, MEMORY].median / 1024:.1f}",
        *(_figure(case, peer, figure, summaries) for figure in case.figures),
    )


def _figure(case: Case, peer: Peer, figure: str, summaries: Summaries) -> str:
    """Empty for a peer that cannot tell."""
    summary = summaries.get((case.name, peer.name, figure))
    if summary is None:
        return ""
    if figure == NDCG:
        return f"{summary.median:.3f}"
    return _number(summary.median / FIGURES[figure][1])


def _number(value: float) -> str:
    """Three digits or more: nobody measures better than that here."""
    if value >= 100:
        return f"{value:.0f}"
    if value >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def _aligned(rows: Sequence[Sequence[str]], left: set[int]) -> str:
    """Columns of equal width; those in ``left`` begin at the left, the others end at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if index in left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)
