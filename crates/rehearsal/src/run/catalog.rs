//! The catalog of a scenario.

use std::sync::Arc;

use assent_runtime::Catalog;

use super::{
    RunError, definition,
    tool::{Executions, ScriptedTool},
    world::World,
};
use crate::Tool;

/// A problem of the definition of a tool: the field and the message.
pub(crate) type Fault = (String, String);

/// Registers all tools of the scenario.
pub(super) fn of(world: &World<'_>) -> Result<Catalog, RunError> {
    let mut catalog = Catalog::new();
    for tool in &world.scenario.tools {
        register(&mut catalog, tool, &world.executions).map_err(|faults| RunError::Tool {
            tool: tool.name.to_string(),
            problems: faults.iter().map(|(field, what)| format!("{field}: {what}")).collect(),
        })?;
    }
    Ok(catalog)
}

/// Tries to register a tool beside those that were tried before.
pub(crate) fn try_out(catalog: &mut Catalog, tool: &Tool) -> Result<(), Vec<Fault>> {
    register(catalog, tool, &Arc::default())
}

fn register(
    catalog: &mut Catalog,
    tool: &Tool,
    executions: &Arc<Executions>,
) -> Result<(), Vec<Fault>> {
    let definition = definition::definition(tool)
        .map_err(|error| vec![("/declaration/tool_id".to_owned(), error.to_string())])?;
    if let (Some(_), Some(provider)) = (&tool.provider_pending, &definition.provider) {
        catalog.provider_pending(provider.clone());
    }
    let executor =
        Arc::new(ScriptedTool { tool: tool.clone(), executions: Arc::clone(executions) });
    let registered = catalog.register(definition, executor);
    registered.map(drop).map_err(|error| {
        let problems = error.problems.into_iter();
        problems.map(|problem| (problem.field, problem.message)).collect()
    })
}
