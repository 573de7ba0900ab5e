"""The command: ``scripts/bench ITEM``."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from . import gate, raw, report
from .adapters import Adapter
from .errors import RunError
from .goals import Goal, check_goals, load_goals
from .install import install
from .items import ITEMS
from .items.item import Item
from .machine import describe, load_average
from .paths import GOALS_FILE, PEERS_FILE, cache
from .peers import Peer, load_peers
from .rounds import SEED, measure
from .samples import summarise
from .verdicts import judge

# Nothing failed; noise fails nothing.
MET = 0
MISSED = 1
# There is no verdict at all. The parser of arguments ends with the same code.
UNUSABLE = 2

CPU_MS = 200
QUICK_CPU_MS = 50


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        return _run(only(ITEMS[options.item], options.case), options)
    except RunError as error:
        print(error, file=sys.stderr)
        return UNUSABLE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measures Assent next to its peers and says whether the goals are met.",
        epilog="Exit code: 0 no goal is missed, 1 a goal is missed, 2 wrong use or a closed gate.",
    )
    parser.add_argument("item", choices=ITEMS, help="what to measure")
    parser.add_argument(
        "--case", action="append", default=[], metavar="NAME", help="only this case; repeatable"
    )
    parser.add_argument("--rounds", type=_rounds, default=7, metavar="N", help="default: 7")
    parser.add_argument(
        "--quick", action="store_true", help=f"measure over {QUICK_CPU_MS} ms, not {CPU_MS} ms"
    )
    parser.add_argument(
        "--prepare", action="store_true", help="install, build, generate and check, then stop"
    )
    parser.add_argument("--json", action="store_true", help="also write all figures to benches/out")
    return parser


def _rounds(text: str) -> int:
    rounds = int(text)
    if rounds < 1:
        raise argparse.ArgumentTypeError("at least one round is needed")
    return rounds


def only(item: Item, names: Sequence[str]) -> Item:
    """The item with some of its cases; with all of them if none is named."""
    known = {case.name for case in item.cases}
    for name in names:
        if name not in known:
            raise RunError(f"{item.name} has no case {name}: {', '.join(sorted(known))}")
    cases = tuple(case for case in item.cases if not names or case.name in names)
    return replace(item, cases=cases)


def _run(item: Item, options: argparse.Namespace) -> int:
    all_peers = load_peers(PEERS_FILE)
    peers = {name: _peer(all_peers, name) for name in item.peers}
    goals = _goals(item)
    install(peers.values(), _progress)
    data = _generate(item)
    adapters = {name: Adapter(item.name, peer, data) for name, peer in peers.items()}
    _progress("checking that all peers give the same answers")
    gate.check(item, adapters, data)
    if options.prepare:
        return MET
    return _measure(item, peers, goals, adapters, options)


def _peer(peers: dict[str, Peer], name: str) -> Peer:
    if name not in peers:
        raise RunError(f"{PEERS_FILE} has no peer called {name}")
    return peers[name]


def _goals(item: Item) -> list[Goal]:
    goals = load_goals(GOALS_FILE)
    cases = {(each.name, case.name): case.peers for each in ITEMS.values() for case in each.cases}
    check_goals(goals, cases)
    measured = {case.name for case in item.cases}
    ours = (goal for goal in goals if goal.item == item.name)
    return [goal for goal in ours if {goal.case, goal.against or goal.case} <= measured]


def _generate(item: Item) -> Path:
    """Made anew each time, as it takes a second and can then never be stale."""
    data = cache() / "data" / item.name
    data.mkdir(parents=True, exist_ok=True)
    item.generate(data)
    item.keep(data, _progress)
    return data


def _measure(
    item: Item,
    peers: dict[str, Peer],
    goals: list[Goal],
    adapters: dict[str, Adapter],
    options: argparse.Namespace,
) -> int:
    cpu_ms = QUICK_CPU_MS if options.quick else CPU_MS
    load_before = load_average()
    samples = measure(item, adapters, options.rounds, cpu_ms, _progress)
    load_after = load_average()
    summaries = summarise(samples)
    verdicts = judge(goals, summaries, peers)

    print(f"{item.name}: {options.rounds} rounds of {cpu_ms} ms CPU time, seed {SEED}")
    print(f"machine: {', '.join(describe().values())}")
    print(f"load average: {load_before} before, {load_after} after")
    print("medians of process CPU time; * is the fastest peer\n")
    print(report.table(item, summaries, peers))
    if verdicts:
        print("\n" + report.verdict_lines(verdicts))
    if options.json:
        settings = raw.Settings(item.name, options.rounds, cpu_ms, SEED, load_before, load_after)
        print(f"\nraw data: {raw.write(settings, peers, samples, verdicts)}")
    return MISSED if any(verdict.is_failure for verdict in verdicts) else MET


def _progress(text: str) -> None:
    print(f"· {text}", file=sys.stderr, flush=True)
