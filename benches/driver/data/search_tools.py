"""Tools to be searched, as many as wanted, and queries about them."""

import itertools
import json
import random
from collections.abc import Iterable
from pathlib import Path

from ..paths import HAND_WRITTEN_DATA
from .words import VERBS, WORDS

# Words of tools, and of what is asked.
TOOL_WORDS = (12, 40)
QUERY_WORDS = (3, 9)

# As many different words as a large catalogue has beside names.
VOCABULARY = 3000

QUERIES = 400
PROBES = 20

SYLLABLES = tuple(first + second for first in "bcdfglmnprstvw" for second in "aeiou")

# Sets of others and of our own, by name, with the folder and how their files begin.
LABELLED = {
    "metatool": ("tool-search", "metatool."),
    "sealtools": ("tool-search", "sealtools."),
    "chinese": ("tool-search-zh", ""),
}


def write_synthetic(directory: Path, name: str, count: int, random_source: random.Random) -> None:
    """Writes tools, queries, and probes: queries that only one tool can answer."""
    words = _vocabulary(random_source)
    # Few words are frequent and many are rare, as in any language.
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(words))))
    probed = set(random_source.sample(range(count), PROBES))
    tools, queries, probes = [], [], []
    for number in range(count):
        length = random_source.randint(*TOOL_WORDS)
        text = random_source.choices(words, cum_weights=weights, k=length)
        tool = {"id": str(number), "name": f"{random_source.choice(VERBS)}_{text[0]}_{text[1]}"}
        if number in probed:
            text += [f"qx{number}z", f"jk{number}v"]
            probes.append({"text": " ".join(text[-3:]), "rel": [tool["id"]]})
        tools.append(tool | {"description": " ".join(text[2:])})
    for _ in range(QUERIES):
        text = random_source.choice(tools)["description"].split()
        length = min(random_source.randint(*QUERY_WORDS), len(text))
        queries.append({"text": " ".join(random_source.sample(text, length)), "rel": []})
    _write(directory / f"{name}.tools.jsonl", tools)
    _write(directory / f"{name}.queries.jsonl", queries)
    _write(directory / f"{name}.probes.jsonl", probes)


def copy_labelled(directory: Path) -> None:
    """Puts the labelled sets next to the others."""
    for name, (folder, prefix) in LABELLED.items():
        for part in ("tools", "queries"):
            content = (HAND_WRITTEN_DATA / folder / f"{prefix}{part}.jsonl").read_bytes()
            (directory / f"{name}.{part}.jsonl").write_bytes(content)


def _vocabulary(random_source: random.Random) -> list[str]:
    """Real words are the frequent ones; the others only sound like words."""
    words = dict.fromkeys(random_source.sample(WORDS, len(WORDS)))
    while len(words) < VOCABULARY:
        syllables = random_source.choices(SYLLABLES, k=random_source.randint(2, 4))
        words["".join(syllables)] = None
    return list(words)


def _write(file: Path, lines: Iterable[dict]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    file.write_text(text, encoding="utf-8")
