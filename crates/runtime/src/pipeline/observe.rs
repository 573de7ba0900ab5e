//! Stage 5: what do hooks and people see? A copy of the input with defaults filled in and paths and URLs in
//! their normal form. The model's input stays unchanged.

use assent_json::Json;
use assent_protocol::agent_tool::{ErrorClass, MutationRule, MutationSource, TerminalStatus};
use serde_json::Value;

use super::{
    Calling, Stage, Stop, Trail,
    mutation::{self, Changer},
    validate::Validated,
};
use crate::{catalog::Tool, panics::caught_call};

/// A call with the input that may be shown.
pub(crate) struct Observed {
    pub(crate) calling: Calling,
    pub(crate) observable: Json,
}

pub(crate) fn run(call: Validated, trail: &mut Trail) -> Result<Observed, Stop> {
    let tool = &call.calling.tool;
    let input = with_defaults(tool, trail, call.input)?;
    let observable = normalized(tool, trail, input)?;
    trail.inputs.observable = Some(observable.clone());
    Ok(Observed { calling: call.calling, observable })
}

fn with_defaults(tool: &Tool, trail: &mut Trail, input: Json) -> Result<Json, Stop> {
    let Some(defaults) = &tool.defaults else { return Ok(input) };
    let missing = defaults.root().members().any(|(key, _)| input.root().get(key).is_none());
    let (Value::Object(mut given), true) = (input.to_value(), missing) else { return Ok(input) };
    for (key, value) in defaults.root().members() {
        given.entry(key).or_insert_with(|| value.to_value());
    }
    let filled = Json::from_value(&Value::Object(given))
        .map_err(|error| failed(tool, &error.to_string()))?;
    let changer = Changer {
        stage: Stage::Observe,
        source: MutationSource::Runtime,
        source_ref: Some("defaults"),
        rule: MutationRule::Allow,
        reason: Some("declared defaults"),
    };
    mutation::apply(tool, trail, &changer, &input, filled)
}

fn normalized(tool: &Tool, trail: &mut Trail, input: Json) -> Result<Json, Stop> {
    let normal = caught_call(|| tool.executor.normalize(&input))
        .map_err(|panicked| failed(tool, &panicked))?;
    let Some(normal) = normal else { return Ok(input) };
    let changer = Changer {
        stage: Stage::Observe,
        source: MutationSource::Adapter,
        source_ref: Some("normalize"),
        rule: MutationRule::Allow,
        reason: Some("normal form"),
    };
    mutation::apply(tool, trail, &changer, &input, normal)
}

fn failed(tool: &Tool, why: &str) -> Stop {
    Stop::new(
        Stage::Observe,
        TerminalStatus::Blocked,
        ErrorClass::InputMutationFailed,
        format!("the input of `{}` could not be prepared: {why}", tool.name),
    )
}
