//! Stage 4: does the tool accept the values? Checked before anything is opened, sent or shown.

use assent_json::Json;
use assent_protocol::agent_tool::{ErrorClass, TerminalStatus};

use super::{Calling, Stage, Stop, Trail, parse::Parsed};
use crate::{catalog::Tool, panics::caught_call};

/// A call whose values the tool accepts.
pub(crate) struct Validated {
    pub(crate) calling: Calling,
    pub(crate) input: Json,
}

pub(crate) fn run(call: Parsed, trail: &Trail) -> Result<Validated, Stop> {
    values(&call.calling.tool, &call.input, Stage::Validate, trail)?;
    Ok(Validated { calling: call.calling, input: call.input })
}

/// Asks the tool about the values.
pub(super) fn values(tool: &Tool, input: &Json, stage: Stage, trail: &Trail) -> Result<(), Stop> {
    let answer = caught_call(|| tool.executor.preflight(input));
    let (class, message) = match answer {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(refusal)) => (refusal.class, trail.scrub(&refusal.message)),
        Err(panicked) => (ErrorClass::InvalidArguments, format!("its check failed: {panicked}")),
    };
    let message = format!("`{}` does not accept the values: {message}", tool.name);
    Err(Stop::new(stage, TerminalStatus::ValidationFailed, class, message))
}
