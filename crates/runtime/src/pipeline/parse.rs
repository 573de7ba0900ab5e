//! Stage 3: do the arguments fit the schema that the model was shown?

use assent_json::{Json, Kind};
use assent_protocol::agent_tool::{ErrorClass, InvocationStatus, TerminalStatus};
use serde_json::json;

use super::{Calling, Stage, Stop, Trail, deferral::Loaded};
use crate::{
    catalog::{Schemas, Tool},
    request::ModelInput,
};

/// A call whose arguments fit the schema.
pub(crate) struct Parsed {
    pub(crate) calling: Calling,
    pub(crate) input: Json,
}

pub(crate) fn run(call: Loaded, trail: &mut Trail) -> Result<Parsed, Stop> {
    let tool = &call.calling.tool;
    let input = match call.input {
        ModelInput::Json(input) => input,
        ModelInput::Unreadable { why, .. } => {
            return Err(refused(format!("the arguments are not JSON: {why}")));
        }
    };
    smuggled(tool, &input)?;
    let schemas = compiled(tool)?;
    schemas.model.check(input.root()).map_err(|violation| {
        let message =
            format!("the arguments of `{}` do not fit its schema: {violation}", tool.name);
        refused(message).detailed(json!({"path": violation.path, "keyword": violation.keyword}))
    })?;
    trail.enter(InvocationStatus::ArgumentsReady);
    Ok(Parsed { calling: call.calling, input })
}

/// Refuses internal fields, which only hooks and prompts may fill in.
fn smuggled(tool: &Tool, input: &Json) -> Result<(), Stop> {
    let root = input.root();
    let found = tool.internal_fields.iter().find(|field| root.get(field).is_some());
    let Some(field) = found else { return Ok(()) };
    Err(refused(format!("`{field}` is internal: leave it out")))
}

/// The compiled schemas of a tool. They were inspected when the tool was registered, so compiling them rarely
/// fails.
pub(super) fn compiled(tool: &Tool) -> Result<&Schemas, Stop> {
    tool.schemas().map_err(|problem| {
        Stop::new(
            Stage::Parse,
            TerminalStatus::Failed,
            ErrorClass::ExecutionFailed,
            format!("the schema of `{}` cannot be used: {problem}", tool.name),
        )
    })
}

/// Checks the input against the executor's schema, and without its internal fields against the model's schema.
///
/// # Errors
/// The violation, without values.
pub(super) fn fits(tool: &Tool, input: &Json) -> Result<(), String> {
    let schemas = compiled(tool).map_err(|stop| stop.message)?;
    if input.root().kind() != Kind::Object {
        return schemas.model.check(input.root()).map_err(|violation| violation.to_string());
    }
    let visible = without(input, &tool.internal_fields)?;
    schemas.model.check(visible.root()).map_err(|violation| violation.to_string())?;
    match &schemas.runtime {
        Some(runtime) => runtime.check(input.root()).map_err(|violation| violation.to_string()),
        None => Ok(()),
    }
}

fn without(input: &Json, fields: &[String]) -> Result<Json, String> {
    if fields.iter().all(|field| input.root().get(field).is_none()) {
        return Ok(input.clone());
    }
    let mut value = input.to_value();
    if let Some(object) = value.as_object_mut() {
        object.retain(|key, _| !fields.contains(key));
    }
    Json::from_value(&value).map_err(|error| error.to_string())
}

fn refused(message: String) -> Stop {
    Stop::new(
        Stage::Parse,
        TerminalStatus::SchemaParseFailed,
        ErrorClass::SchemaValidationFailed,
        message,
    )
}
