"""Input schemas as authors of tools write them."""

import random

from .words import sentence, word

Schema = dict[str, object]

PATTERNS = ("^[a-z][a-z0-9_]{1,31}$", "^[A-Z]{2}[0-9]{6}$", "^/[^ ]*$", "^[0-9a-f]{8,64}$")
FORMATS = ("date-time", "email", "uri", "uuid", "date")


def tool_schema(random_source: random.Random, fields: int) -> Schema:
    """The schema of an object with so many fields, two of them required."""
    names: list[str] = []
    while len(names) < fields:
        name = f"{word(random_source)}_{word(random_source)}"
        if name not in names:
            names.append(name)
    properties = {name: _field(random_source, depth=0) for name in names}
    return {
        "type": "object",
        "properties": properties,
        "required": names[:2],
        "additionalProperties": False,
    }


def _field(random_source: random.Random, depth: int) -> Schema:
    shapes = [_text, _text, _choice, _count, _amount, _formatted, _flag]
    if depth == 0:
        shapes += [_list, _nested]
    field = random_source.choice(shapes)(random_source)
    if random_source.random() < 0.4:
        field["description"] = sentence(random_source, random_source.randint(10, 40))
    return field


def _text(random_source: random.Random) -> Schema:
    if random_source.random() < 0.3:
        return {"type": "string", "pattern": random_source.choice(PATTERNS)}
    return {"type": "string", "minLength": 1, "maxLength": random_source.choice((64, 256, 1024))}


def _choice(random_source: random.Random) -> Schema:
    return {"type": "string", "enum": sorted({word(random_source) for _ in range(4)} | {"other"})}


def _count(random_source: random.Random) -> Schema:
    return {"type": "integer", "minimum": 0, "maximum": random_source.choice((10, 100, 5000))}


def _amount(random_source: random.Random) -> Schema:
    return {"type": "number", "minimum": 0, "maximum": random_source.choice((1, 99.5, 100000))}


def _formatted(random_source: random.Random) -> Schema:
    return {"type": "string", "format": random_source.choice(FORMATS)}


def _flag(_: random.Random) -> Schema:
    return {"type": "boolean"}


def _list(random_source: random.Random) -> Schema:
    items = _field(random_source, depth=1)
    return {"type": "array", "items": items, "maxItems": random_source.choice((5, 20, 100))}


def _nested(random_source: random.Random) -> Schema:
    names = sorted({word(random_source) for _ in range(2)})
    properties = {name: _field(random_source, depth=1) for name in names}
    return {"type": "object", "properties": properties, "additionalProperties": False}
