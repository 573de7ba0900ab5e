//! Moments: the documents that hooks get.

use assent_ids::{HookId, HookRunId, InvocationId, ToolId};
use assent_json::Json;
use assent_protocol::agent_tool::{Behavior, ErrorClass, HookEvent};
use assent_runtime::HookMoment;
use serde::Serialize;

use crate::VERSION;

/// How a hook sees sensitive values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// As masks.
    #[default]
    Masked,
    /// In full.
    Full,
}

/// Writes the moment as the hook may see it: one JSON document without a line break at its end.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn write(
    moment: &HookMoment,
    hook: &HookId,
    sight: Sight,
) -> Result<String, serde_json::Error> {
    let (input, output) = match sight {
        Sight::Masked => (&moment.masked.input, moment.masked.output.as_ref()),
        Sight::Full => (&moment.input, moment.output.as_ref()),
    };
    serde_json::to_string(&Document {
        version: VERSION,
        event: moment.event,
        hook_id: hook,
        run_id: moment.run,
        invocation_id: moment.invocation,
        tool: Tool { id: &moment.tool, namespace: &moment.namespace, name: &moment.name },
        masked: sight == Sight::Masked,
        input,
        actor: moment.actor.as_deref(),
        session: moment.session.as_deref(),
        decision: moment.decision.map(assent_policy::Decision::behavior),
        output,
        error: moment.error,
    })
}

#[derive(Serialize)]
struct Document<'m> {
    version: u64,
    event: HookEvent,
    hook_id: &'m HookId,
    run_id: HookRunId,
    invocation_id: InvocationId,
    tool: Tool<'m>,
    masked: bool,
    input: &'m Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Behavior>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'m Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorClass>,
}

#[derive(Serialize)]
struct Tool<'m> {
    id: &'m ToolId,
    namespace: &'m str,
    name: &'m str,
}
