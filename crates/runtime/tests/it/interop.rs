//! Native names and ids of other protocols come back as they went in.

use assent_protocol::agent_tool::{MappingSource, SchemaVisibility, ToolExternalMapping, ToolKind};
use assent_protocol::wire::Loose;
use assent_runtime::{Request, ToolDefinition, surface::ToolChoice};
use serde_json::{Value, json};

use crate::{
    actors::says,
    definitions::{contract, equipped, tool},
    desk::{Desk, reader, request},
    story::{invocation, of_kind},
};

fn mapping(source: MappingSource, fields: &Value) -> ToolExternalMapping {
    let mut mapping = ToolExternalMapping::new(source);
    let fields = fields.as_object().unwrap();
    mapping.extra = fields.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    mapping
}

fn mapped(kind: ToolKind, source: MappingSource, fields: &Value) -> ToolDefinition {
    let mut definition = reader("act");
    definition.declaration.tool_kind = kind.into();
    definition.declaration.external_mappings = Some(vec![Loose::Typed(mapping(source, fields))]);
    definition
}

/// Registers a tool with native ids, calls it with others, and gives back what the journal has of both.
async fn round_trip(
    kind: ToolKind,
    source: MappingSource,
    of_tool: Value,
    of_call: Value,
) -> [Value; 2] {
    let desk =
        Desk::new(vec![(mapped(kind, source, &of_tool), says("done"))], |b| b.surface(equipped()));
    let mut call: Request = request("act", json!({"path": "a"}));
    call.mappings = vec![mapping(source, &of_call)];
    call.native_call_id = Some("native-17".parse().unwrap());
    let result = desk.runtime.call(call).await;
    assert_eq!(result.status.as_str(), "succeeded", "{:?}", result.error);
    let declared = of_kind(&desk, "tool_declaration").await.remove(0);
    let told = invocation(&desk).await;
    assert_eq!(told["native_call_id"], "native-17");
    assert_eq!(told["external_mappings"][0], declared["external_mappings"][0]);
    [declared["external_mappings"][0].clone(), told["external_mappings"][1].clone()]
}

/// A value for every name that the standard lists for a source.
fn everything(source: MappingSource) -> Value {
    let value = |name: &&str| ((*name).to_owned(), json!({"native": name, "n": 1.5}));
    source.fields().iter().map(value).collect::<serde_json::Map<_, _>>().into()
}

fn and_source(source: MappingSource, mut fields: Value) -> Value {
    fields["source"] = json!(source.as_str());
    fields
}

/// Items 162, 169: every native id of every source comes back unchanged, of the tool and of the call.
#[tokio::test(start_paused = true)]
async fn native_ids_of_every_source_make_the_round_trip() {
    let kinds = [
        (MappingSource::Mcp, ToolKind::McpTool),
        (MappingSource::Openapi, ToolKind::OpenapiOperation),
        (MappingSource::FunctionCalling, ToolKind::Function),
        (MappingSource::A2a, ToolKind::PeerAgentTool),
        (MappingSource::Cli, ToolKind::ShellCommand),
        (MappingSource::Browser, ToolKind::BrowserAction),
        (MappingSource::Telemetry, ToolKind::NativeTool),
    ];
    assert_eq!(kinds.len(), MappingSource::ALL.len());
    for (source, kind) in kinds {
        let fields = everything(source);
        let expected = and_source(source, fields.clone());
        let kept = round_trip(kind, source, fields.clone(), fields).await;
        assert_eq!(kept, [expected.clone(), expected]);
    }
}

/// Item 163: a tool of an MCP server keeps its name, title, description, schemas and annotations.
#[tokio::test(start_paused = true)]
async fn an_mcp_tool_keeps_what_its_server_says() {
    let input = json!({"type": "object", "properties": {"path": {"type": "string", "x-mcp": 1}}});
    let schema = json!({"type": "object", "properties": {"issues": {"type": "array"}}});
    let fields =
        json!({"server_id": "tracker", "method": "tools/call", "tool_name": "search-issues"});
    let mut definition = mapped(ToolKind::McpTool, MappingSource::Mcp, &fields);
    let declaration = &mut definition.declaration;
    declaration.title = Some("Search issues".to_owned());
    declaration.annotations = Some(serde_json::from_value(json!({"readOnlyHint": true})).unwrap());
    contract(&mut definition).model_input_schema = Some(input.clone());
    definition.interface.output_schema = Some(serde_json::from_value(schema.clone()).unwrap());
    let tool = tool(definition);
    let told = serde_json::to_value(tool.declaration()).unwrap();
    assert_eq!(told["title"], "Search issues");
    assert_eq!(told["description"], "Does what act says.");
    assert_eq!(told["annotations"], json!({"readOnlyHint": true}));
    assert_eq!(told["input_contract"]["model_input_schema"], input);
    assert_eq!(told["output_contract"]["structured_schema"], schema);
    assert_eq!(told["external_mappings"][0]["tool_name"], "search-issues");
    let of_call = json!({
        "jsonrpc_request_id": 41, "structuredContent": {"issues": []}, "isError": false,
        "_meta": {"progressToken": "p"}
    });
    let [_, kept] =
        round_trip(ToolKind::McpTool, MappingSource::Mcp, fields, of_call.clone()).await;
    assert_eq!(kept, and_source(MappingSource::Mcp, of_call));
}

/// Item 164: an operation keeps its id, method, path, server, security schemes and schemas.
#[tokio::test(start_paused = true)]
async fn an_openapi_operation_keeps_where_it_comes_from() {
    let of_tool = json!({
        "operation_id": "getOrderById", "method": "GET", "path": "/orders/{id}",
        "server_url": "https://api.example.org/v2", "security_scheme_refs": ["oauth2"]
    });
    let (kind, source) = (ToolKind::OpenapiOperation, MappingSource::Openapi);
    let kept = round_trip(kind, source, of_tool.clone(), json!({"request_id": "r"})).await;
    assert_eq!(kept[0], and_source(source, of_tool.clone()));
    let mut definition = mapped(kind, source, &of_tool);
    let response = json!({"type": "object", "properties": {"total": {"type": "number"}}});
    definition.interface.output_schema = Some(serde_json::from_value(response.clone()).unwrap());
    definition.interface.schema_visibility = Some(SchemaVisibility::NativeRef);
    let tool = tool(definition);
    assert_eq!(tool.operation(), Some("getOrderById"));
    let told = serde_json::to_value(tool.interface()).unwrap();
    assert_eq!(told["output_schema"], response);
    assert_eq!(told["model_input_schema"], crate::definitions::schema());
}

/// Item 165: function calling keeps the id of the call, the function, the choice, strictness, deferral and
/// whether calls may be parallel.
#[tokio::test(start_paused = true)]
async fn function_calling_keeps_ids_choices_and_strictness() {
    let of_tool = json!({
        "function_name": "getWeather", "strict": true, "defer_loading": false,
        "parallel_tool_calls": true
    });
    let of_call = json!({"tool_call_id": "call_Ab3", "tool_choice": {"type": "function"}});
    let (kind, source) = (ToolKind::Function, MappingSource::FunctionCalling);
    let kept = round_trip(kind, source, of_tool.clone(), of_call.clone()).await;
    assert_eq!(kept, [and_source(source, of_tool), and_source(source, of_call)]);
    let mut strict = reader("act");
    contract(&mut strict).strict = Some(true);
    let mut context = equipped();
    context.default_tool_choice = ToolChoice::Tool("act".to_owned());
    let desk = Desk::new(vec![(strict, says("done"))], |builder| builder.surface(context));
    let surface = of_kind(&desk, "tool_surface").await.remove(0);
    assert_eq!(surface["default_tool_choice"], json!({"type": "tool", "name": "act"}));
    assert_eq!(surface["model_capabilities"]["parallel_calls"], true);
    assert_eq!(of_kind(&desk, "tool_interface").await[0]["strict"], true);
}

/// Item 166: a peer agent keeps its card, skill, task, context, message and artifact.
#[tokio::test(start_paused = true)]
async fn a_peer_agent_keeps_its_tasks_and_messages() {
    let of_tool = json!({
        "agent_card_url": "https://travel.example.org/.well-known/agent-card.json",
        "agent_skill_id": "book-train", "context_id": "ctx-8"
    });
    let of_call = json!({"task_id": "task-17", "message_id": "m-17", "artifact_id": "ticket-1"});
    let (kind, source) = (ToolKind::PeerAgentTool, MappingSource::A2a);
    let kept = round_trip(kind, source, of_tool.clone(), of_call.clone()).await;
    assert_eq!(kept, [and_source(source, of_tool), and_source(source, of_call)]);
}

/// Item 167: a command keeps its id, arguments, folder, environment, sandbox, time limit, signal, exit
/// code, outputs and background task.
#[tokio::test(start_paused = true)]
async fn a_command_keeps_how_it_ran() {
    let of_tool = json!({
        "command_id": "git-log", "argv_ref": "argv-1", "cwd_ref": "cwd-1",
        "env_policy_ref": "clean", "sandbox_ref": "box-2", "timeout_ms": 5_000
    });
    let of_call = json!({
        "exit_code": 0, "signal": null, "stdout_ref": "blob:1", "stderr_ref": "blob:2",
        "background_task_id": "bg-1"
    });
    let (kind, source) = (ToolKind::ShellCommand, MappingSource::Cli);
    let kept = round_trip(kind, source, of_tool.clone(), of_call.clone()).await;
    assert_eq!(kept, [and_source(source, of_tool), and_source(source, of_call)]);
}

/// Item 12: names that are not valid callable names survive beside the one that is used.
#[tokio::test(start_paused = true)]
async fn the_name_that_a_protocol_uses_may_be_any_text() {
    let odd = json!({"tool_name": "Größe/ändern…  ", "server_id": "mcp__x__y"});
    let kept = round_trip(ToolKind::McpTool, MappingSource::Mcp, odd.clone(), odd.clone()).await;
    let expected = and_source(MappingSource::Mcp, odd);
    assert_eq!(kept, [expected.clone(), expected]);
}
