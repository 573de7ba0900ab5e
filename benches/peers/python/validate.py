"""Tool arguments against their schemas with jsonschema."""

import json

from harness import Request, Work, run
from jsonschema import Draft202012Validator


def prepare(request: Request) -> Work:
    """Compiles the schemas. Only one case is run: the peer is there for scale."""
    if request.case != "validate-text":
        raise SystemExit(f"python-jsonschema does not run the case {request.case}")
    tools = json.loads((request.data / "tools.json").read_bytes())
    instances = [
        (_validator(tool["schema"]), instance["text"], instance["valid"])
        for tool in tools
        for instance in tool["instances"]
    ]
    valid = [(validator, text) for validator, text, is_valid in instances if is_valid]
    return Work(
        answer=lambda: [validator.is_valid(json.loads(text)) for validator, text, _ in instances],
        one_pass=lambda: sum(validator.is_valid(json.loads(text)) for validator, text in valid),
    )


def _validator(schema: dict) -> Draft202012Validator:
    checker = Draft202012Validator.FORMAT_CHECKER
    return Draft202012Validator(schema, format_checker=checker)


if __name__ == "__main__":
    run(prepare)
