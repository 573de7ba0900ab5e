"""Pairs of large manifests, one edited from the other."""

import copy
import json
import random
from pathlib import Path

from . import edits
from .manifests import SCOPES
from .source_text import SourceText, canonical_size
from .tool_schemas import tool_schema
from .words import VERBS, text_of_size, word

TOOLS = 200

# The largest manifest that is accepted.
SIZE = 131_072

Tool = dict[str, object]


def write_pair(directory: Path, case: str, edited: list[int], random_source: random.Random) -> None:
    """Writes ``CASE-old.json``, ``CASE-new.json`` and which tools differ."""
    old = [_tool(random_source, index) for index in range(TOOLS)]
    new = copy.deepcopy(old)
    for index in edited:
        edits.apply_some(new[index]["input_schema"], random_source, index)  # type: ignore[arg-type]
    _fill(old, new, random_source)
    for side, tools in (("old", old), ("new", new)):
        text = SourceText(random_source).write(_manifest(tools, side))
        (directory / f"{case}-{side}.json").write_text(text, encoding="utf-8")
    (directory / f"{case}-edited.json").write_text(json.dumps(edited), encoding="utf-8")


def _fill(old: list[Tool], new: list[Tool], random_source: random.Random) -> None:
    """Gives each tool a description, the same on both sides, until the larger side is full."""
    size = max(canonical_size(_manifest(tools, "old")) for tools in (old, new))
    room = (SIZE - size) // TOOLS - len('"description_fallback":"",')
    for before, after in zip(old, new, strict=True):
        text = text_of_size(random_source, room)
        before["description_fallback"] = after["description_fallback"] = text


def _manifest(tools: list[Tool], side: str) -> dict[str, object]:
    return {
        "schema_version": "1.0",
        "agent_version": "3.0.0" if side == "old" else "3.1.0",
        "tools": tools,
        "permission_scopes": SCOPES,
    }


def _tool(random_source: random.Random, index: int) -> Tool:
    return {
        "name": f"{random_source.choice(VERBS)}_{word(random_source)}_{index}",
        "description_i18n_key": f"tool.{index}.description",
        "permission_scope": SCOPES[index % len(SCOPES)]["id"],
        "timeout_ms": 30000,
        "input_schema": tool_schema(random_source, random_source.choice((2, 3, 3))),
    }
