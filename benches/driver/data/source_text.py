"""Writes JSON the way people and programs do: indented, unsorted, with needless escapes.

``json.dumps`` would rewrite numbers such as ``1e21`` in Python's own way, and escapes either all
foreign characters or none.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Literal:
    """A number, letter by letter, and how its canonical form is written."""

    text: str
    canonical: str


class SourceText:
    """Writes values; a seeded source decides which strings get needless escapes."""

    def __init__(self, random_source: random.Random) -> None:
        self._random = random_source

    def write(self, value: object) -> str:
        """The text of ``value``, indented by two spaces."""
        return "".join(self._pieces(value, "\n")) + "\n"

    def _pieces(self, value: object, newline: str) -> Iterator[str]:
        deeper = newline + "  "
        match value:
            case Literal():
                yield value.text
            case str():
                yield self._string(value)
            case dict() if value:
                for position, (key, member) in enumerate(value.items()):
                    yield ("," if position else "{") + deeper + self._string(key) + ": "
                    yield from self._pieces(member, deeper)
                yield newline + "}"
            case list() if value:
                for position, element in enumerate(value):
                    yield ("," if position else "[") + deeper
                    yield from self._pieces(element, deeper)
                yield newline + "]"
            case _:
                yield json.dumps(value)

    def _string(self, text: str) -> str:
        needless = not text.isascii() and self._random.random() < 0.3
        return json.dumps(text, ensure_ascii=needless)


def canonical_size(value: object) -> int:
    """How many bytes the canonical form has."""
    match value:
        case Literal():
            return len(value.canonical)
        case dict():
            names = sum(len(_compact(name)) + len(":") for name in value)
            return 1 + max(1, len(value)) + names + sum(map(canonical_size, value.values()))
        case list():
            return 1 + max(1, len(value)) + sum(map(canonical_size, value))
        case _:
            return len(_compact(value))


def _compact(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
