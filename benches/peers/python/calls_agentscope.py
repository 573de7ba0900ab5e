"""Tool calls with agentscope: permission engine, then toolkit with middlewares.

An agent of agentscope does more: it compiles the schema for each call, copies messages and sends
events. None of that is counted against it.
"""

import json
from collections.abc import Callable
from typing import Any

from agentscope.message import ToolCallBlock
from agentscope.permission import (
    PermissionBehavior,
    PermissionContext,
    PermissionEngine,
    PermissionRule,
)
from agentscope.state import AgentState
from agentscope.tool import FunctionTool, Toolkit, ToolMiddlewareBase, ToolResponse
from calls import Call, Setup, read_lines, run_calls
from jsonschema import Draft202012Validator


class Agreeing(ToolMiddlewareBase):
    """A hook before and a hook after the call."""

    async def on_tool_call(
        self, tool: object, input_kwargs: dict[str, Any], next_handler: Callable[..., Any]
    ) -> Any:
        """Lets everything pass."""
        await _agree()
        async for chunk in next_handler(**input_kwargs):
            yield chunk
        await _agree()


async def _agree() -> bool:
    return True


async def _tool(path: str, limit: int, reverse: bool) -> str:
    return read_lines(path, limit, reverse)


def build(setup: Setup) -> Call:
    """A toolkit looks at all its tools in each call, so it gets only the one that is called."""
    tool = FunctionTool(
        _tool,
        name=setup.called,
        description=setup.description,
        input_schema=setup.schema,
        middlewares=[Agreeing(), Agreeing()],
    )
    toolkit, state = Toolkit(tools=[tool]), AgentState()
    engine = _engine(setup.rules)
    validator = Draft202012Validator(setup.schema)

    async def call(text: str) -> str:
        input_kwargs = json.loads(text)
        validator.validate(input_kwargs)
        decision = await engine.check_permission(tool, input_kwargs)
        if decision.behavior is not PermissionBehavior.ALLOW:
            return decision.message
        block = ToolCallBlock(id="call", name=setup.called, input=text)
        said = ""
        async for part in toolkit.call_tool(block, state):
            if isinstance(part, ToolResponse):
                said = "".join(block.text for block in part.content)
        return said

    return call


def _engine(rules: dict[str, str]) -> PermissionEngine:
    engine = PermissionEngine(PermissionContext())
    for name, behavior in rules.items():
        engine.add_rule(
            PermissionRule(
                tool_name=name,
                rule_content=None,
                behavior=PermissionBehavior(behavior),
                source="userSettings",
            )
        )
    return engine


if __name__ == "__main__":
    run_calls(build)
