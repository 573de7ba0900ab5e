//! Spans around calls, with the names of the OpenTelemetry conventions for generative AI.
//!
//! **Invariant:** ids, names, statuses, sizes and times only. No argument and no result ever reaches a
//! span.

use assent_ids::InvocationId;
use assent_journal::Planned;
use assent_protocol::agent_tool::{ReasonType, ToolResult};
use tracing::{Span, field::Empty};

/// What the span is about: always `execute_tool`.
pub const OPERATION: &str = "gen_ai.operation.name";
/// The name of the tool.
pub const TOOL_NAME: &str = "gen_ai.tool.name";
/// The id of the call.
pub const CALL_ID: &str = "gen_ai.tool.call.id";
/// What kind of tool it is.
pub const TOOL_TYPE: &str = "gen_ai.tool.type";
/// The conversation that the call belongs to.
pub const CONVERSATION: &str = "gen_ai.conversation.id";
/// The id of the call in the protocol it came through.
pub const NATIVE_CALL_ID: &str = "assent.native_call.id";
/// The trace that the caller belongs to, as `traceparent` writes it.
pub const TRACE: &str = "assent.traceparent";
/// What kind of thing decided that it may run, or that it may not.
pub const DECISION: &str = "assent.decision.reason";
/// What its result is.
pub const STATUS: &str = "assent.result.status";
/// How large the result is, before anything of it was stored elsewhere.
pub const SIZE: &str = "assent.result.size_bytes";
/// From the request to the result.
pub const DURATION: &str = "assent.duration_ms";
/// What kind of failure it was.
pub const ERROR: &str = "error.type";

/// The span of one call.
pub(crate) fn span(invocation: InvocationId, planned: &Planned) -> Span {
    tracing::info_span!(
        "execute_tool",
        { OPERATION } = "execute_tool",
        { TOOL_NAME } = &*planned.requested,
        { CALL_ID } = %invocation,
        { TOOL_TYPE } = "function",
        { CONVERSATION } = planned.session.as_deref(),
        { NATIVE_CALL_ID } = planned.native_call_id.as_ref().map(|id| id.as_str()),
        { TRACE } = planned.trace.as_deref(),
        { DECISION } = Empty,
        { STATUS } = Empty,
        { SIZE } = Empty,
        { DURATION } = Empty,
        { ERROR } = Empty,
    )
}

/// Records what decided about the current call.
pub(crate) fn decided(by: ReasonType) {
    Span::current().record(DECISION, by.as_str());
}

/// Records the size of the current call's result.
pub(crate) fn measured(bytes: usize) {
    Span::current().record(SIZE, bytes);
}

/// Records how a call ended.
pub(crate) fn ended(span: &Span, took_ms: u64, result: &ToolResult) {
    span.record(STATUS, result.status.as_str());
    span.record(DURATION, took_ms);
    if let Some(error) = result.error.as_ref().and_then(|error| error.typed()) {
        span.record(ERROR, error.error_class.as_str());
    }
}
