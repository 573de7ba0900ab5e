"""Tool calls with langchain-core: a structured tool with callbacks. It has no permissions."""

import json
from typing import Any

from calls import Call, Setup, read_lines, run_calls
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.tools import StructuredTool
from pydantic import BaseModel, ConfigDict, Field


class Arguments(BaseModel):
    """What the tool takes; langchain-core checks with pydantic, not with JSON Schema."""

    model_config = ConfigDict(extra="forbid", strict=True)

    path: str = Field(min_length=1, max_length=4096)
    limit: int = Field(ge=1, le=10000)
    reverse: bool


class Agreeing(AsyncCallbackHandler):
    """A hook before and a hook after the call."""

    async def on_tool_start(self, *_: Any, **__: Any) -> None:
        """Says nothing."""

    async def on_tool_end(self, *_: Any, **__: Any) -> None:
        """Says nothing."""


async def _tool(path: str, limit: int, reverse: bool) -> str:
    return read_lines(path, limit, reverse)


def build(setup: Setup) -> Call:
    """One tool, and the rules as a table beside it."""
    tool = StructuredTool.from_function(
        coroutine=_tool,
        name=setup.called,
        description=setup.description,
        args_schema=Arguments,
        callbacks=[Agreeing(), Agreeing()],
    )

    async def call(text: str) -> str:
        if setup.rules[setup.called] != "allow":
            return "not permitted"
        return await tool.ainvoke(json.loads(text))

    return call


if __name__ == "__main__":
    run_calls(build)
