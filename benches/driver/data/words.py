"""Texts that look like those in manifests: mostly plain, sometimes not."""

import json
import random

WORDS = (
    "account address amount answer archive article balance batch booking branch budget calendar "
    "card channel chart client comment contact contract country customer date delivery device "
    "document draft event file filter folder group history image invoice item label language "
    "ledger limit link list location machine member message meeting note notice number offer "
    "order owner page parcel payment person phone photo place plan price product profile project "
    "question record refund region reminder report request result route rule schedule session "
    "setting shipment site status store summary table task team template ticket token topic "
    "transfer trip unit update user vendor version visit warehouse window"
).split()

VERBS = "add cancel close copy create find get list move open read rename send share show".split()

# Two, three and four bytes in UTF-8, and pairs of surrogates, which decide the order of keys.
FOREIGN = ("Größe", "naïve", "coût", "価格", "отчёт", "تقرير", "€", "→", "𝛼", "🚚")

# What a canonical writer must escape, each in its own way.
ESCAPED = ('"quoted"', "back\\slash", "line\nbreak", "tab\tstop")


def word(random_source: random.Random) -> str:
    """One plain word."""
    return random_source.choice(WORDS)


def sentence(random_source: random.Random, length: int) -> str:
    """Words up to about ``length`` characters, a few of them not plain."""
    words: list[str] = []
    size = 0
    while size < length:
        kind = random_source.random()
        if kind < 0.06:
            chosen = random_source.choice(FOREIGN)
        elif kind < 0.09:
            chosen = random_source.choice(ESCAPED)
        else:
            chosen = word(random_source)
        words.append(chosen)
        size += len(chosen) + 1
    return " ".join(words)


def text_of_size(random_source: random.Random, size: int) -> str:
    """A text that takes at most ``size`` bytes between its quotes in canonical JSON."""
    text = sentence(random_source, size)
    while len(json.dumps(text, ensure_ascii=False).encode()) - 2 > size:
        text = text[:-1]
    return text
