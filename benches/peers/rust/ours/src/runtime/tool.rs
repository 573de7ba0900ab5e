//! The tool that is called.

use assent_bench_calls::Setup;
use assent_protocol::{
    agent_tool::{
        ExecutionKind, Flag, RiskLevel, ToolDeclaration, ToolExecutionProfile, ToolInputContract,
        ToolInterface, ToolKind, ToolLifecycle, ToolPermissionProfile,
    },
    wire::Loose,
};
use assent_runtime::{Body, Call, Execution, Executor, Output, PersistencePolicy, ToolDefinition};

pub(super) struct ReadLines;

impl Executor for ReadLines {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async move {
            let input = call.input.root();
            let field = |name| input.get(name);
            let path = field("path").and_then(|path| path.as_str()).unwrap_or_default();
            let limit = field("limit").and_then(|limit| limit.as_number()?.as_u64());
            let reverse = field("reverse").and_then(|reverse| reverse.as_bool());
            let order = if reverse == Some(true) { " reversed" } else { "" };
            let text = format!("{} lines of {path}{order}", limit.unwrap_or_default());
            Ok(Output { body: Body::Text(text), ..Output::default() })
        })
    }
}

/// What its producer says about it.
pub(super) fn definition(setup: &Setup, name: &str) -> ToolDefinition {
    let id = format!("{}:{name}", setup.namespace);
    let mut declaration = ToolDeclaration::new(
        id.parse::<assent_ids::ToolId>().expect("an id"),
        setup.namespace.parse::<assent_ids::Namespace>().expect("a namespace"),
        name.parse::<assent_ids::CallableName>().expect("a name"),
        setup.description.clone(),
        ToolLifecycle::Available,
        ToolKind::NativeTool,
    );
    declaration.input_contract = Some(Loose::Typed(ToolInputContract::new(setup.schema.clone())));
    let interface = format!("{id}:interface").parse::<assent_ids::InterfaceId>();
    let execution = format!("{id}:execution").parse::<assent_ids::ExecutionProfileId>();
    let permission = format!("{id}:permission").parse::<assent_ids::PermissionProfileId>();
    let mut interface = ToolInterface::new(
        interface.expect("an id"),
        id.parse::<assent_ids::ToolId>().expect("an id"),
    );
    interface.is_concurrency_safe = Some(Flag::Stated(true));
    ToolDefinition {
        declaration,
        interface,
        execution: ToolExecutionProfile::new(
            execution.expect("an id"),
            ExecutionKind::EmbeddedRuntime,
        ),
        permission: ToolPermissionProfile::new(permission.expect("an id"), RiskLevel::Low),
        locks: Vec::new(),
        persistence: PersistencePolicy::default(),
        provider: None,
        trusted: false,
    }
}
