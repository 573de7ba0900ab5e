"""Capability manifests and tool arguments: canonical form, validation, comparison."""

import json
import random
from collections.abc import Mapping
from pathlib import Path

from ..data import SEED
from ..data.diff_pairs import TOOLS, write_pair
from ..data.manifests import manifest_text
from ..data.tool_arguments import write_tools
from ..paths import HAND_WRITTEN_DATA
from .item import Case, Gate, Item

Answers = Mapping[str, object]

# Bytes of the canonical form. The largest is the largest manifest that is accepted.
SIZES = {"1k": 1_344, "64k": 65_536, "128k": 131_072}

# Which tools of a pair of manifests differ.
EDITED = {"diff-20-of-200": list(range(4, TOOLS, 10)), "diff-200-of-200": list(range(TOOLS))}

# Does only a part of the work, so its answers are not those of the others.
LIMIT = "serde_json"


def generate(directory: Path) -> None:
    """Writes all files of the item."""
    for name, size in SIZES.items():
        text = manifest_text(_seeded(f"manifest-{name}"), size)
        (directory / f"manifest-{name}.json").write_text(text, encoding="utf-8")
    for case, edited in EDITED.items():
        write_pair(directory, case, edited, _seeded(case))
    write_tools(HAND_WRITTEN_DATA / "tools", directory / "tools.json")


def _seeded(name: str) -> random.Random:
    return random.Random(f"{SEED} {name}")


def same_digest(answers: Answers, _: Path) -> list[str]:
    """Whoever writes the canonical form gets the same SHA-256."""
    digests = {peer: answer for peer, answer in answers.items() if peer != LIMIT}
    if len(set(digests.values())) == 1:
        return []
    return [f"{peer} computes {digest}" for peer, digest in digests.items()]


def right_verdicts(answers: Answers, data: Path) -> list[str]:
    """Every validator accepts what is meant to be valid, and nothing else."""
    instances = [
        (tool["name"], instance)
        for tool in json.loads((data / "tools.json").read_bytes())
        for instance in tool["instances"]
    ]
    expected = [instance["valid"] for _, instance in instances]
    problems = []
    for peer, verdicts in answers.items():
        if peer == LIMIT:
            continue
        if not isinstance(verdicts, list) or len(verdicts) != len(expected):
            problems.append(f"{peer} has not judged {len(expected)} instances: {verdicts}")
            continue
        for (tool, instance), wanted, found in zip(instances, expected, verdicts, strict=True):
            if wanted is not found:
                problems.append(f"{peer} says {found} to {tool} {instance['text']}")
    return problems


def told_errors(answers: Answers, data: Path) -> list[str]:
    """Every validator says what is wrong with each invalid instance, and where.

    Which of several errors comes first, and its words, are everybody's own choice.
    """
    tools = json.loads((data / "tools.json").read_bytes())
    wrong = sum(not instance["valid"] for tool in tools for instance in tool["instances"])
    problems = []
    for peer, errors in answers.items():
        if not isinstance(errors, list) or len(errors) != wrong:
            problems.append(f"{peer} has not told {wrong} errors: {errors}")
        elif not all(error["message"] and error["path"][:1] in ("", "/") for error in errors):
            problems.append(f"{peer} tells errors without a message or a pointer: {errors}")
    return problems


def compiled_all(answers: Answers, data: Path) -> list[str]:
    """Every validator compiles every schema; what it makes of them, another case has checked."""
    count = len(json.loads((data / "tools.json").read_bytes()))
    wrong = {peer: answer for peer, answer in answers.items() if answer != count}
    return [f"{peer} compiles {answer} of {count}" for peer, answer in wrong.items()]


def found_edits(case: str) -> Gate:
    """The comparison names the edited tools, no other, and leaves nothing undecided."""

    def gate(answers: Answers, data: Path) -> list[str]:
        edited = json.loads((data / f"{case}-edited.json").read_bytes())
        diff: dict = answers["assent"]  # type: ignore[assignment]
        problems = []
        if diff["tools"] != edited:
            problems.append(f"assent finds changes of the tools {diff['tools']}, not of {edited}")
        if diff["undecided"]:
            problems.append(f"assent leaves {diff['undecided']} changes undecided")
        if answers["assent-read"] != [TOOLS, TOOLS]:
            problems.append(f"assent-read finds {answers['assent-read']} tools")
        return problems

    return gate


CANONICAL = (
    "assent",
    "serde_json_canonicalizer",
    "serde_jcs",
    "npm-canonicalize",
    "python-rfc8785",
    LIMIT,
)

MANIFEST = Item(
    name="manifest",
    generate=generate,
    cases=(
        *(
            Case(
                name=f"canonical-{size}",
                title="text to canonical form to SHA-256; limit: parse, write as it is, hash",
                unit="document",
                peers=CANONICAL,
                gate=same_digest,
            )
            for size in SIZES
        ),
        Case(
            name="validate-text",
            title="text of valid arguments to verdict; limit: parse only",
            unit="instance",
            peers=("assent", "jsonschema", "boon", "ajv", "python-jsonschema", LIMIT),
            gate=right_verdicts,
        ),
        Case(
            name="validate-error",
            title="parsed invalid arguments to first message and pointer",
            unit="instance",
            peers=("assent", "jsonschema", "boon", "ajv"),
            gate=told_errors,
        ),
        Case(
            name="compile",
            title="schema to validator",
            unit="schema",
            peers=("assent", "jsonschema", "boon", "ajv"),
            gate=compiled_all,
        ),
        *(
            Case(
                name=case,
                title="two manifests to all changes, judged; limit: parse both",
                unit="pair",
                peers=("assent", "assent-read", LIMIT),
                gate=found_edits(case),
            )
            for case in EDITED
        ),
    ),
)
