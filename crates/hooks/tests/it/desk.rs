//! A runtime with hooks from a file, for tests that call tools.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use assent_ids::{
    UnixMillis,
    deterministic::{ManualClock, SeededEntropy},
};
use assent_journal::{RecordLines, export};
use assent_policy::{Policy, RuleSpec};
use assent_protocol::{
    agent_tool::{
        ExecutionKind, MutationPolicy, MutationRule, RiskLevel, ToolDeclaration,
        ToolExecutionProfile, ToolInputContract, ToolInterface, ToolKind, ToolLifecycle,
        ToolPermissionProfile,
    },
    wire::Loose,
};
use assent_runtime::{
    Body, Call, CallResult, Catalog, Execution, Executor, Hooks, ModelInput, Output,
    PersistencePolicy, Request, Runtime, RuntimeBuilder, ToolDefinition,
};
use assent_test_journal::Audited;
use serde_json::{Value, json};

use crate::{file::loaded, processes::Script};

/// A tool that gives back its input, and counts.
#[derive(Debug, Default)]
pub struct Echo(pub AtomicU64);

impl Executor for Echo {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            Ok(Output { body: Body::Structured(call.input.clone()), ..Output::default() })
        })
    }
}

/// A tool that takes a user and a password, which is sensitive, and lets hooks change both.
fn definition(name: &str, kind: ToolKind) -> ToolDefinition {
    let id = format!("accounts:{name}");
    let tool_id: assent_ids::ToolId = id.parse().unwrap();
    let mut declaration = ToolDeclaration::new(
        tool_id.clone(),
        "accounts".parse::<assent_ids::Namespace>().unwrap(),
        name.parse::<assent_ids::CallableName>().unwrap(),
        "Logs in.",
        ToolLifecycle::Available,
        kind,
    );
    let mut contract = ToolInputContract::new(json!({
        "type": "object",
        "properties": {"user": {"type": "string"}, "password": {"type": "string"}},
        "required": ["user"]
    }));
    contract.sensitive_fields = Some(vec!["/password".to_owned()]);
    let mutation = MutationPolicy { hooks: Some(MutationRule::Allow), ..MutationPolicy::default() };
    contract.mutation_policy = Some(Loose::Typed(mutation));
    declaration.input_contract = Some(Loose::Typed(contract));
    let part = |part: &str| format!("{id}:{part}");
    ToolDefinition {
        interface: ToolInterface::new(
            part("interface").parse::<assent_ids::InterfaceId>().unwrap(),
            tool_id,
        ),
        execution: ToolExecutionProfile::new(
            part("execution").parse::<assent_ids::ExecutionProfileId>().unwrap(),
            ExecutionKind::EmbeddedRuntime,
        ),
        permission: ToolPermissionProfile::new(
            part("permission").parse::<assent_ids::PermissionProfileId>().unwrap(),
            RiskLevel::Low,
        ),
        declaration,
        locks: Vec::new(),
        persistence: PersistencePolicy::default(),
        provider: None,
        trusted: false,
    }
}

pub struct Desk {
    pub runtime: Runtime,
    pub journal: Audited,
    pub tool: Arc<Echo>,
}

impl Desk {
    /// A desk with the hooks of a file, at which every call is allowed.
    pub fn new(file: &Value) -> Self {
        Self::with(file, |builder| {
            let rules: Vec<RuleSpec> =
                serde_json::from_value(json!([{"id": "all", "behavior": "allow"}])).unwrap();
            builder.policy(Arc::new(Policy::load(rules).unwrap()))
        })
    }

    pub fn with(file: &Value, change: impl FnOnce(RuntimeBuilder) -> RuntimeBuilder) -> Self {
        let mut hooks = Hooks::default();
        for registration in loaded(&file.to_string()).unwrap() {
            hooks.register(registration);
        }
        let tool = Arc::new(Echo::default());
        let mut catalog = Catalog::new();
        for (name, kind) in [
            ("login", ToolKind::NativeTool),
            ("other", ToolKind::NativeTool),
            ("remote", ToolKind::McpTool),
        ] {
            catalog.register(definition(name, kind), Arc::clone(&tool) as _).unwrap();
        }
        let journal = Audited::journal();
        let builder = Runtime::builder()
            .clock(Arc::new(ManualClock::starting_at(UnixMillis::new(1_700_000_000_000))))
            .entropy(Arc::new(SeededEntropy::new(7)))
            .journal(journal.shared())
            .catalog(catalog)
            .hooks(hooks);
        Self { runtime: change(builder).build().unwrap(), journal, tool }
    }

    pub async fn call(&self, tool: &str, input: Value) -> CallResult {
        self.runtime.call(Request::new(tool, ModelInput::from_value(&input))).await
    }

    /// Calls `login` as Ada.
    pub async fn login(&self) -> CallResult {
        self.call("login", json!({"user": "ada", "password": "planted-7f3a"})).await
    }

    pub fn runs(&self) -> u64 {
        self.tool.0.load(Ordering::SeqCst)
    }

    /// Everything that the journal shows, in both forms.
    pub async fn records(&self) -> String {
        let entries = self.journal.entries();
        let mut text = Vec::new();
        export(&*self.journal, &mut text).await.unwrap();
        let mut lines = RecordLines::default();
        for entry in entries {
            lines.write(&entry, &mut text).unwrap();
        }
        String::from_utf8(text).unwrap()
    }
}

/// A hook of the file that runs a script, before calls if nothing else is said.
pub fn entry(script: &Script, more: Value) -> Value {
    let mut hook = json!({
        "id": "guard",
        "event": "pre_tool_use",
        "command": {
            "argv": script.argv(),
            "cwd": script.folder.path(),
            "env": {"PATH": "/usr/local/bin:/usr/bin:/bin"},
        },
    });
    let Value::Object(more) = more else { panic!("fields of a hook") };
    hook.as_object_mut().unwrap().extend(more);
    hook
}

pub fn file_of(script: &Script, more: Value) -> Value {
    json!({"hooks": [entry(script, more)]})
}

/// The class and the words of a result's error.
pub fn error(result: &CallResult) -> (String, String) {
    let error = result.error.as_ref().unwrap().typed().unwrap();
    (error.error_class.as_str().to_owned(), error.message.clone().unwrap_or_default())
}

pub fn status(result: &CallResult) -> &str {
    result.status.as_str()
}
