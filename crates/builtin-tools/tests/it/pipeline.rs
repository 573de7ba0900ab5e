//! A runtime with one built-in tool.

use std::sync::Arc;

use assent_builtin_tools::BuiltinTool;
use assent_ids::{
    CallableName, ExecutionProfileId, InterfaceId, Namespace, PermissionProfileId, ToolId,
    UnixMillis,
    deterministic::{ManualClock, SeededEntropy},
};
use assent_policy::{Policy, RuleSpec};
use assent_protocol::{
    agent_tool::{
        ExecutionKind, PersistenceStrategy, RiskLevel, ToolDeclaration, ToolExecutionProfile,
        ToolInputContract, ToolInterface, ToolKind, ToolLifecycle, ToolPermissionProfile,
    },
    wire::Loose,
};
use assent_runtime::{
    Answer, Answering, Approver, Catalog, ModelInput, PersistencePolicy, Prompt, Remember, Request,
    Runtime, ToolDefinition,
};
use assent_test_journal::Audited;
use serde_json::{Value, json};

/// A person who allows everything, after something has happened.
struct Person<F>(F);

impl<F: Fn() + Send + Sync> Approver for Person<F> {
    fn ask<'a>(&'a self, _prompt: &'a Prompt) -> Answering<'a> {
        (self.0)();
        Box::pin(async { Answer::Allow { edit: None, feedback: None, remember: Remember::Once } })
    }
}

/// What a device does with results: they are passed on whole, up to 700 KiB.
fn persistence() -> PersistencePolicy {
    PersistencePolicy {
        max_inline_bytes: Some(700 * 1024),
        strategy: Some(PersistenceStrategy::NeverPersist),
        ..PersistencePolicy::default()
    }
}

fn definition(name: &str) -> ToolDefinition {
    let id: ToolId = format!("agent:{name}").parse().unwrap();
    let mut declaration = ToolDeclaration::new(
        id.clone(),
        "agent".parse::<Namespace>().unwrap(),
        name.parse::<CallableName>().unwrap(),
        "A built-in tool.".to_owned(),
        ToolLifecycle::Available,
        ToolKind::NativeTool,
    );
    let contract = ToolInputContract::new(json!({"type": "object"}));
    declaration.input_contract = Some(Loose::Typed(contract));
    let (interface, execution): (InterfaceId, ExecutionProfileId) =
        (format!("{id}:i").parse().unwrap(), format!("{id}:e").parse().unwrap());
    let permission: PermissionProfileId = format!("{id}:p").parse().unwrap();
    ToolDefinition {
        declaration,
        interface: ToolInterface::new(interface, id),
        execution: ToolExecutionProfile::new(execution, ExecutionKind::EmbeddedRuntime),
        permission: ToolPermissionProfile::new(permission, RiskLevel::Low),
        locks: Vec::new(),
        persistence: persistence(),
        provider: None,
        trusted: false,
    }
}

/// Calls a tool that needs an approval. The result, or the class of the error.
pub async fn call_asking(
    tool: Arc<dyn BuiltinTool>,
    input: Value,
    before_the_yes: impl Fn() + Send + Sync + 'static,
) -> Result<Value, String> {
    let rules = json!([{"id": "all", "behavior": "ask"}]);
    run(tool, input, &rules, before_the_yes).await
}

/// Calls a tool that needs no approval. The result, or the class of the error.
pub async fn call(tool: Arc<dyn BuiltinTool>, input: Value) -> Result<Value, String> {
    run(tool, input, &json!([{"id": "all", "behavior": "allow"}]), || ()).await
}

async fn run(
    tool: Arc<dyn BuiltinTool>,
    input: Value,
    rules: &Value,
    before_the_yes: impl Fn() + Send + Sync + 'static,
) -> Result<Value, String> {
    let mut catalog = Catalog::new();
    catalog.register(definition("tool"), tool).unwrap();
    let rules: Vec<RuleSpec> = serde_json::from_value(rules.clone()).unwrap();
    let journal = Audited::journal();
    let runtime = Runtime::builder()
        .clock(Arc::new(ManualClock::starting_at(UnixMillis::new(1_700_000_000_000))))
        .entropy(Arc::new(SeededEntropy::new(7)))
        .journal(journal.shared())
        .policy(Arc::new(Policy::load(rules).unwrap()))
        .approver(Arc::new(Person(before_the_yes)))
        .catalog(catalog)
        .build()
        .unwrap();
    let result = runtime.call(Request::new("tool", ModelInput::from_value(&input))).await;
    match result.error.as_ref().and_then(|error| error.typed()) {
        None => Ok(result.structured_content.clone().unwrap()),
        Some(error) => Err(error.error_class.as_str().to_owned()),
    }
}
