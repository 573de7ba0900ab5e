"""Calls of one tool: its schema, texts of arguments, and what the tool says to them."""

import json
import random
from pathlib import Path

from .words import WORDS

# As many tools as there are permission rules for.
TOOLS = 200

# Different texts, so that nobody can remember the only one.
CALLS = 64

SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "The file.", "minLength": 1, "maxLength": 4096},
        "limit": {"type": "integer", "description": "Lines.", "minimum": 1, "maximum": 10000},
        "reverse": {"type": "boolean", "description": "Whether the last line comes first."},
    },
    "required": ["path", "limit", "reverse"],
    "additionalProperties": False,
}


def write_calls(file: Path, random_source: random.Random) -> None:
    """Writes the tool, and calls of it with the answers that everybody has to give."""
    tool = {
        "namespace": "files",
        # Tools are called by it and their number.
        "name": "read_lines",
        "description": "Reads lines of a file.",
        "schema": SCHEMA,
        "tools": TOOLS,
        "calls": [_call(random_source) for _ in range(CALLS)],
    }
    file.write_text(json.dumps(tool), encoding="utf-8")


def _call(random_source: random.Random) -> dict[str, str]:
    path = "/".join(["src", *random_source.sample(WORDS, 2)]) + ".rs"
    limit = random_source.randint(1, 10_000)
    reverse = random_source.choice((True, False))
    text = json.dumps({"path": path, "limit": limit, "reverse": reverse})
    return {"text": text, "answer": f"{limit} lines of {path}{' reversed' if reverse else ''}"}
