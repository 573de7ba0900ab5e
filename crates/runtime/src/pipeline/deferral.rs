//! Stage 2: does the caller know the tool's schema? A call that was written without it is a guess, and guesses
//! are not executed.

use assent_protocol::agent_tool::{ErrorClass, TerminalStatus};
use serde_json::json;

use super::{Calling, Stage, Stop, resolve::Resolved};
use crate::request::ModelInput;

/// A call of a tool that is loaded.
pub(crate) struct Loaded {
    pub(crate) calling: Calling,
    pub(crate) input: ModelInput,
}

pub(crate) fn run(call: Resolved) -> Result<Loaded, Stop> {
    if call.is_loaded {
        return Ok(Loaded { calling: call.calling, input: call.input });
    }
    let tool = &call.calling.tool;
    let select = format!("select:{}", tool.name);
    let message =
        format!("the schema of `{}` is not loaded: search with `{select}` first", tool.name);
    let stop =
        Stop::new(Stage::Deferral, TerminalStatus::Blocked, ErrorClass::SchemaNotLoaded, message);
    Err(stop.detailed(json!({"next_action": "discover", "query": select})))
}
