//! Spans around calls, with the names of the OpenTelemetry conventions for generative AI.
//!
//! **Invariant:** ids, names, statuses and sizes only. No argument and no result ever reaches a span.

use assent_ids::InvocationId;
use assent_protocol::agent_tool::ToolResult;
use tracing::{Span, field::Empty};

/// What the span is about: always `execute_tool`.
pub const OPERATION: &str = "gen_ai.operation.name";
/// The name of the tool.
pub const TOOL_NAME: &str = "gen_ai.tool.name";
/// The id of the call.
pub const CALL_ID: &str = "gen_ai.tool.call.id";
/// What kind of tool it is.
pub const TOOL_TYPE: &str = "gen_ai.tool.type";
/// What its result is.
pub const STATUS: &str = "assent.result.status";
/// What kind of failure it was.
pub const ERROR: &str = "error.type";

/// The span of one call.
pub(crate) fn span(invocation: InvocationId, tool: &str) -> Span {
    tracing::info_span!(
        "execute_tool",
        { OPERATION } = "execute_tool",
        { TOOL_NAME } = tool,
        { CALL_ID } = %invocation,
        { TOOL_TYPE } = "function",
        { STATUS } = Empty,
        { ERROR } = Empty,
    )
}

/// Notes how a call ended.
pub(crate) fn ended(span: &Span, result: &ToolResult) {
    if span.is_disabled() {
        return;
    }
    span.record(STATUS, result.status.as_str());
    if let Some(error) = result.error.as_ref().and_then(|error| error.typed()) {
        span.record(ERROR, error.error_class.as_str());
    }
}
