"""The five tools with arguments that their schemas accept or refuse.

They are written by hand in ``benches/data/tools``; here they become one file, with each instance as
the text that would arrive.
"""

import json
from pathlib import Path


def write_tools(source: Path, target: Path) -> None:
    """Joins the files of ``source`` into ``target``."""
    tools = [_tool(json.loads(path.read_text("utf-8"))) for path in sorted(source.glob("*.json"))]
    target.write_text(json.dumps(tools), encoding="utf-8")


def _tool(tool: dict) -> dict[str, object]:
    valid = [_instance(arguments, valid=True) for arguments in tool["valid"]]
    invalid = [_instance(case["arguments"], valid=False) for case in tool["invalid"]]
    return {"name": tool["name"], "schema": tool["schema"], "instances": valid + invalid}


def _instance(arguments: object, *, valid: bool) -> dict[str, object]:
    text = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    return {"text": text, "valid": valid}
