"""Manifests of a wanted size, written in a way that gives a canonical writer something to do."""

import random

from .source_text import Literal, SourceText, canonical_size
from .tool_schemas import tool_schema
from .words import VERBS, sentence, text_of_size, word

# RFC 8785 writes nearly all of these in another way than they stand here, or than other writers do.
AWKWARD_NUMBERS = tuple(
    Literal(text, canonical)
    for text, canonical in (
        ("1e21", "1e+21"),
        ("1e-7", "1e-7"),
        ("333333333.33333329", "333333333.3333333"),
        ("1E3", "1000"),
        ("-0.0", "0"),
        ("4.50", "4.5"),
        ("2e-3", "0.002"),
        ("0.1e1", "1"),
    )
)

SCOPES = [
    {
        "sensitivity": sensitivity,
        "label_i18n_key": f"scope.{area}.{action}.label",
        "id": f"{area}:{action}",
        "label_fallback": f"{action.capitalize()} {area}",
        "description_fallback": f"May {action} what belongs to {area}.",
    }
    for area, action, sensitivity in (
        ("files", "read", "low"),
        ("orders", "write", "medium"),
        ("payments", "send", "high"),
    )
]


def manifest_text(random_source: random.Random, size: int) -> str:
    """A manifest with a canonical form of at most ``size`` bytes, and not much less."""
    manifest = _manifest([], SCOPES if size > 4096 else SCOPES[:1])
    tools: list[dict[str, object]] = manifest["tools"]  # type: ignore[assignment]
    room = size - canonical_size(manifest) - len(',"notes":""')
    while True:
        tool = _tool(random_source, len(tools), small=size <= 4096)
        needed = canonical_size(tool) + len(",")
        if needed > room:
            break
        tools.append(tool)
        room -= needed
    manifest["notes"] = text_of_size(random_source, room)
    return SourceText(random_source).write(manifest)


def _manifest(tools: list[dict[str, object]], scopes: list[dict[str, str]]) -> dict[str, object]:
    """Keys in the order in which an author thinks of them, which is not the canonical one."""
    return {
        "schema_version": "1.0",
        "tools": tools,
        "permission_scopes": scopes,
        "capability_flags": {"supports_streaming": True, "supports_artifacts": False},
        "agent_version": "2.14.0",
    }


def _tool(random_source: random.Random, index: int, *, small: bool) -> dict[str, object]:
    schema = tool_schema(random_source, 2 if small else random_source.randint(3, 7))
    properties: dict[str, object] = schema["properties"]  # type: ignore[assignment]
    properties[f"größe_{index}"] = {
        "type": "number",
        "default": random_source.choice(AWKWARD_NUMBERS),
        "examples": list(AWKWARD_NUMBERS[:3]),
    }
    scope = SCOPES[0 if small else index % len(SCOPES)]
    return {
        "name": f"{random_source.choice(VERBS)}_{word(random_source)}_{index}",
        "description_i18n_key": f"tool.{index}.description",
        "description_fallback": sentence(random_source, 40 if small else 160),
        "permission_scope": scope["id"],
        "timeout_ms": random_source.choice((1000, 30000, 120000)),
        "input_schema": schema,
    }
