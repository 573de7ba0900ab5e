"""The item ``runtime``: everything but what takes the calls."""

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from harness import Request, Work, run

TOGETHER = 1000

# Arguments as a model writes them to what the tool says.
Call = Callable[[str], Awaitable[str]]


@dataclass(frozen=True)
class Setup:
    """What everybody builds a pipeline from."""

    # The tool that is called, and what it is.
    called: str
    description: str
    schema: dict
    # What the rule of each tool says: allow, ask or deny.
    rules: dict[str, str]


def run_calls(build: Callable[[Setup], Call]) -> None:
    """Runs an adapter; ``build`` makes a pipeline."""
    run(lambda request: _prepare(request, build))


def read_lines(path: str, limit: int, reverse: bool) -> str:
    """The tool itself."""
    return f"{limit} lines of {path}{' reversed' if reverse else ''}"


def _prepare(request: Request, build: Callable[[Setup], Call]) -> Work:
    data = json.loads((request.data / "calls.json").read_bytes())
    names = [f"{data['name']}_{number}" for number in range(data["tools"])]
    rules = {name: _behavior(number) for number, name in enumerate(names)}
    called = names[len(names) // 2]
    call = build(Setup(called, data["description"], data["schema"], rules))
    texts = [each["text"] for each in data["calls"]]
    match request.case:
        case "call-alone":
            calls = _one_by_one(call, texts)
        case "call-1000":
            calls = _together(call, list(itertools.islice(itertools.cycle(texts), TOGETHER)))
        case _:
            raise SystemExit(f"nobody runs the case {request.case} in Python")
    loop = asyncio.new_event_loop()
    return Work(
        answer=lambda: loop.run_until_complete(calls()),
        one_pass=lambda: len(loop.run_until_complete(calls())),
    )


def _behavior(number: int) -> str:
    """As in peers/rust/calls/src/setup.rs."""
    return {3: "deny", 7: "ask"}.get(number % 10, "allow")


def _one_by_one(call: Call, texts: list[str]) -> Callable[[], Awaitable[list[str]]]:
    async def calls() -> list[str]:
        return [await call(text) for text in texts]

    return calls


def _together(call: Call, texts: list[str]) -> Callable[[], Awaitable[list[str]]]:
    async def calls() -> list[str]:
        return await asyncio.gather(*(asyncio.ensure_future(call(text)) for text in texts))

    return calls
