"""What authors do to the input schema of a tool from one version to the next.

Each edit changes the schema in place and returns true, or finds nothing to change and returns
false.
"""

import random
from collections.abc import Callable, Iterator

from .tool_schemas import Schema

Edit = Callable[[Schema], bool]


def add_optional_field(schema: Schema) -> bool:
    """Widens: a closed schema accepts a field that it refused before."""
    _properties(schema)["dry_run"] = {"type": "boolean"}
    return True


def add_required_field(schema: Schema) -> bool:
    """Breaks every caller."""
    _properties(schema)["reason"] = {"type": "string", "minLength": 1}
    _required(schema).append("reason")
    return True


def drop_requirement(schema: Schema) -> bool:
    """Widens."""
    return bool(_required(schema)) and bool(_required(schema).pop())


def require_optional_field(schema: Schema) -> bool:
    """Breaks callers who left it out."""
    optional = [name for name in _properties(schema) if name not in _required(schema)]
    if optional:
        _required(schema).append(optional[0])
    return bool(optional)


def remove_field(schema: Schema) -> bool:
    """Breaks callers who give it, as the schema is closed."""
    optional = [name for name in _properties(schema) if name not in _required(schema)]
    if optional:
        del _properties(schema)[optional[-1]]
    return bool(optional)


def rename_field(schema: Schema) -> bool:
    """Breaks callers who give it by its old name."""
    properties = _properties(schema)
    optional = [name for name in properties if name not in _required(schema)]
    if optional:
        properties[f"{optional[0]}_id"] = properties.pop(optional[0])
    return bool(optional)


def lower_maximum(schema: Schema) -> bool:
    """Narrows."""
    return _change_first(schema, "maximum", lambda maximum: maximum / 2)


def raise_maximum(schema: Schema) -> bool:
    """Widens."""
    return _change_first(schema, "maximum", lambda maximum: maximum * 2)


def shorten_text(schema: Schema) -> bool:
    """Narrows."""
    return _change_first(schema, "maxLength", lambda length: length // 2)


def shorten_list(schema: Schema) -> bool:
    """Narrows."""
    return _change_first(schema, "maxItems", lambda length: length - 1)


def remove_choice(schema: Schema) -> bool:
    """Narrows."""
    return _change_first(schema, "enum", lambda choices: choices[:-1])


def add_choice(schema: Schema) -> bool:
    """Widens."""
    return _change_first(schema, "enum", lambda choices: [*choices, "unknown"])


def tighten_pattern(schema: Schema) -> bool:
    """Replaces a pattern, which only an automaton can compare with the old one."""
    return _change_first(schema, "pattern", lambda pattern: pattern.replace("$", "[a-z0-9]$"))


def whole_numbers_to_any(schema: Schema) -> bool:
    """Changes a type, though nothing is lost."""
    for field in _fields(schema):
        if field.get("type") == "integer":
            field["type"] = "number"
            return True
    return False


def rewrite_description(schema: Schema) -> bool:
    """Changes words only."""
    return _change_first(schema, "description", lambda text: f"{text}.")


ALL: tuple[Edit, ...] = (
    add_optional_field,
    lower_maximum,
    rewrite_description,
    remove_choice,
    add_required_field,
    tighten_pattern,
    raise_maximum,
    remove_field,
    shorten_text,
    add_choice,
    drop_requirement,
    rename_field,
    shorten_list,
    require_optional_field,
    whole_numbers_to_any,
)


def apply_some(schema: Schema, random_source: random.Random, start: int) -> None:
    """Applies one or two edits, from number ``start`` on, skipping those that do not fit."""
    wanted = random_source.choice((1, 1, 2))
    for offset in range(len(ALL)):
        edit = ALL[(start + offset) % len(ALL)]
        wanted -= edit(schema)
        if wanted == 0:
            return


def _properties(schema: Schema) -> dict[str, Schema]:
    return schema["properties"]  # type: ignore[return-value]


def _required(schema: Schema) -> list[str]:
    return schema["required"]  # type: ignore[return-value]


def _fields(schema: Schema) -> Iterator[Schema]:
    """The fields of the object, and what lists hold."""
    for field in _properties(schema).values():
        yield field
        if isinstance(items := field.get("items"), dict):
            yield items


def _change_first(schema: Schema, keyword: str, change: Callable[..., object]) -> bool:
    for field in _fields(schema):
        if keyword in field:
            field[keyword] = change(field[keyword])
            return True
    return False
