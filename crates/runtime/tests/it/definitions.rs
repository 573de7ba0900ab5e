//! Definitions of tools for tests: a small one that is right, to be changed by each test.

use std::sync::Arc;

use assent_ids::{
    Minter, UnixMillis,
    deterministic::{ManualClock, SeededEntropy},
};
use assent_protocol::{
    agent_tool::{
        ExecutionKind, RiskLevel, SurfaceScope, ToolDeclaration, ToolExecutionProfile,
        ToolInputContract, ToolInterface, ToolKind, ToolLifecycle, ToolPermissionProfile,
    },
    wire::Loose,
};
use assent_runtime::{
    Call, Catalog, Execution, Executor, Output, PersistencePolicy, Surface, SurfaceContext, Tool,
    ToolDefinition, catalog::Registered,
};
use serde_json::{Value, json};

/// A tool that takes a path, reads, and is called `namespace/name`.
pub(crate) fn definition(namespace: &str, name: &str) -> ToolDefinition {
    let id = format!("{namespace}:{name}");
    let mut declaration = ToolDeclaration::new(
        id.parse::<assent_ids::ToolId>().unwrap(),
        namespace.parse::<assent_ids::Namespace>().unwrap(),
        name.parse::<assent_ids::CallableName>().unwrap(),
        format!("Does what {name} says."),
        ToolLifecycle::Available,
        ToolKind::NativeTool,
    );
    declaration.input_contract = Some(Loose::Typed(ToolInputContract::new(schema())));
    let interface = format!("{id}:interface").parse::<assent_ids::InterfaceId>().unwrap();
    let execution = format!("{id}:execution").parse::<assent_ids::ExecutionProfileId>().unwrap();
    let permission = format!("{id}:permission").parse::<assent_ids::PermissionProfileId>().unwrap();
    ToolDefinition {
        interface: ToolInterface::new(interface, id.parse::<assent_ids::ToolId>().unwrap()),
        execution: ToolExecutionProfile::new(execution, ExecutionKind::EmbeddedRuntime),
        permission: ToolPermissionProfile::new(permission, RiskLevel::Low),
        declaration,
        locks: Vec::new(),
        persistence: PersistencePolicy::default(),
        provider: None,
        trusted: false,
    }
}

/// What the tool of [`definition`] takes.
pub(crate) fn schema() -> Value {
    json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})
}

/// The contract of a definition, to be changed.
pub(crate) fn contract(definition: &mut ToolDefinition) -> &mut ToolInputContract {
    match &mut definition.declaration.input_contract {
        Some(Loose::Typed(contract)) => contract,
        _ => panic!("the definition has no contract"),
    }
}

/// The definition with changes.
pub(crate) fn with(
    namespace: &str,
    name: &str,
    change: impl FnOnce(&mut ToolDefinition),
) -> ToolDefinition {
    let mut definition = definition(namespace, name);
    change(&mut definition);
    definition
}

/// With another lifecycle.
pub(crate) fn living(name: &str, lifecycle: ToolLifecycle) -> ToolDefinition {
    with("t", name, |tool| tool.declaration.lifecycle = lifecycle)
}

/// Registers a definition that is right.
pub(crate) fn register(catalog: &mut Catalog, definition: ToolDefinition) -> Registered {
    catalog.register(definition, Arc::new(Idle)).unwrap()
}

/// The fields that are wrong with a definition.
pub(crate) fn problems(definition: ToolDefinition) -> Vec<String> {
    let error = Catalog::new().register(definition, Arc::new(Idle)).unwrap_err();
    error.problems.into_iter().map(|problem| problem.field).collect()
}

/// The fields that could be better about a definition.
pub(crate) fn lints(definition: ToolDefinition) -> Vec<String> {
    let registered = register(&mut Catalog::new(), definition);
    registered.lints.into_iter().map(|lint| lint.field).collect()
}

/// The tool of a definition.
pub(crate) fn tool(definition: ToolDefinition) -> Arc<Tool> {
    register(&mut Catalog::new(), definition).tool
}

/// A catalog of these tools.
pub(crate) fn catalog(definitions: impl IntoIterator<Item = ToolDefinition>) -> Catalog {
    let mut catalog = Catalog::new();
    for definition in definitions {
        register(&mut catalog, definition);
    }
    catalog
}

/// A minter whose ids can be repeated.
pub(crate) fn minter() -> Minter {
    let clock = ManualClock::starting_at(UnixMillis::new(1_700_000_000_000));
    Minter::new(Arc::new(clock), Arc::new(SeededEntropy::new(7)))
}

/// A context in which everything is there.
pub(crate) fn equipped() -> SurfaceContext {
    SurfaceContext::equipped(SurfaceScope::Session)
}

/// The surface of a catalog in a context.
pub(crate) fn surface(catalog: &Catalog, context: SurfaceContext) -> Surface {
    Surface::build(catalog, context, &minter(), None)
}

/// An executor that is never called.
#[derive(Debug)]
pub(crate) struct Idle;

impl Executor for Idle {
    fn execute<'a>(&'a self, _call: &'a Call) -> Execution<'a> {
        Box::pin(async { Ok(Output::default()) })
    }
}
