//! The stricter profile, for the records of what can be called.

use assent_ids::*;
use assent_protocol::{
    agent_tool::{strict::Strict, *},
    wire::{Count, Loose, Millis, Object, Open, Timestamp},
};
use serde_json::json;

use super::strict::places;
use crate::support::{arbitrary::Arb, at, id, json::Gen};

fn any<T: Arb>() -> T {
    Gen(3).any()
}

fn declaration() -> ToolDeclaration {
    ToolDeclaration::new(
        id::<ToolId>("web.search"),
        id::<Namespace>("web"),
        id::<CallableName>("search"),
        "Searches the web.",
        ToolLifecycle::Available,
        ToolKind::WebSearch,
    )
}

fn odd_time() -> Timestamp {
    serde_json::from_value(json!("yesterday")).unwrap()
}

#[test]
fn a_declaration_is_named_described_and_of_a_known_kind() {
    assert_eq!(declaration().problems(), []);
    let mut tool = declaration();
    tool.description.clear();
    tool.tool_kind = Open::read("gadget");
    tool.aliases = Some(vec![serde_json::from_value(json!("")).unwrap()]);
    tool.capability_refs = Some(vec!["web_search".to_owned(), String::new()]);
    tool.tool_id = ToolId::unresolved("search").into();
    let expected = ["/aliases/0", "/capability_refs/1", "/description", "/tool_id", "/tool_kind"];
    assert_eq!(places(&tool), expected);
}

#[test]
fn a_search_hint_has_three_to_ten_words() {
    for (hint, good) in [
        ("search", false),
        ("search the", false),
        ("search the web", true),
        ("one two three four five six seven eight nine ten", true),
        ("one two three four five six seven eight nine ten eleven", false),
    ] {
        let mut tool = declaration();
        tool.search_hint = Some(hint.to_owned());
        assert_eq!(tool.problems().is_empty(), good, "{hint}");
    }
}

#[test]
fn contracts_and_mappings_are_measured_inside_their_declaration() {
    let mut tool = declaration();
    let mut contract = ToolInputContract::new(json!({ "properties": { "token": {} } }));
    contract.internal_only_fields = Some(vec!["token".to_owned(), String::new()]);
    contract.argument_mode = Some(Open::read("telepathy"));
    contract.sensitive_fields = Some(vec![String::new()]);
    contract.mutation_policy = Some(Loose::Raw(json!("never")));
    tool.input_contract = Some(contract.into());
    tool.output_contract = Some(Loose::Raw(Object::from([("content_types".to_owned(), 1.into())])));
    tool.external_mappings = Some(vec![ToolExternalMapping::new(Open::read("fax")).into()]);
    let expected = [
        "/external_mappings/0",
        "/external_mappings/0/source",
        "/input_contract/argument_mode",
        "/input_contract/internal_only_fields/1",
        "/input_contract/model_input_schema",
        "/input_contract/mutation_policy",
        "/input_contract/sensitive_fields/0",
        "/output_contract",
    ];
    assert_eq!(places(&tool), expected);
    assert_eq!(places(&ToolInputContract::default()), ["/model_input_schema"]);
    let mut output = ToolOutputContract::default();
    assert_eq!(output.problems(), []);
    output.content_types = Some(vec![String::new()]);
    assert_eq!(places(&output), ["/content_types/0"]);
}

#[test]
fn a_namespace_has_a_known_origin() {
    let mut group = ToolNamespace::new(id::<Namespace>("mcp.github"), NamespaceOrigin::Server);
    assert_eq!(group.problems(), []);
    group.origin = Open::read("outer_space");
    group.external_mappings = Some(vec![Loose::Raw(Object::new())]);
    assert_eq!(places(&group), ["/external_mappings/0", "/origin"]);
}

#[test]
fn the_flags_of_an_interface_can_be_found_out() {
    let mut interface = ToolInterface::new(id::<InterfaceId>("i"), id::<ToolId>("t"));
    interface.is_read_only = Some(Flag::Text("classifier:read_only".to_owned()));
    interface.is_concurrency_safe = Some(Flag::Text("same_as:is_read_only".to_owned()));
    interface.interrupt_behavior = Some(InterruptBehavior::Cancel.into());
    assert_eq!(interface.problems(), []);
    interface.is_enabled = Some(Flag::Text("sometimes".to_owned()));
    interface.is_destructive = Some(Flag::Text("same_as:mood".to_owned()));
    interface.is_open_world = Some(Flag::Text(String::new()));
    interface.search_hint = Some(String::new());
    interface.inferred_facts = Some(Loose::Raw(json!(5)));
    interface.interrupt_behavior = Some(Loose::Raw(json!("shout")));
    let expected = [
        "/inferred_facts",
        "/interrupt_behavior",
        "/is_destructive",
        "/is_enabled",
        "/is_open_world",
        "/search_hint",
    ];
    assert_eq!(places(&interface), expected);
}

#[test]
fn a_surface_names_its_tools() {
    let mut surface = ToolSurface::new(any::<SurfaceId>(), SurfaceScope::Session);
    surface.created_at = Some(at(1));
    surface.loaded_tools = Some(vec![id::<ToolId>("t").into()]);
    surface.supersedes = Some(Lax::from(Gen(9).any::<SurfaceId>()).into());
    assert_eq!(surface.problems(), []);
    surface.created_at = Some(odd_time());
    surface.scope = Open::read("universe");
    surface.loaded_tools =
        Some(vec![SurfaceEntry::Raw(json!(1)), SurfaceEntry::Embedded(Object::new())]);
    surface.deferred_tools = Some(vec![serde_json::from_value(json!("")).unwrap()]);
    surface.excluded_tools = Some(vec![Loose::Raw(Object::new())]);
    let expected = [
        "/created_at",
        "/deferred_tools/0",
        "/excluded_tools/0",
        "/loaded_tools/0",
        "/loaded_tools/1",
        "/scope",
    ];
    assert_eq!(places(&surface), expected);
}

#[test]
fn an_unavailable_tool_has_a_reason() {
    let (tool, name) = (id::<ToolId>("t"), id::<CallableName>("t"));
    for state in LoadingState::ALL {
        let mut tool = DeferredToolRef::new(&tool, &name, *state);
        tool.pending_provider_or_server = Some("github".to_owned());
        assert_eq!(tool.problems().is_empty(), *state != LoadingState::Unavailable, "{state}");
        tool.reason = Some("server gone".to_owned());
        assert_eq!(tool.problems(), []);
    }
}

#[test]
fn a_search_without_matches_says_what_to_do_next() {
    let mut result = ToolSearchResult::new("issues", QueryType::Keyword, Vec::new());
    assert_eq!(places(&result), ["/next_action"]);
    result.next_action = Some("try other words".to_owned());
    assert_eq!(result.problems(), []);
    result.query_type = Open::read("guess");
    result.matches = vec![serde_json::from_value(json!("")).unwrap()];
    result.missing_names = Some(vec![String::new()]);
    assert_eq!(places(&result), ["/matches/0", "/missing_names/0", "/query_type"]);
}

#[test]
fn profiles_use_the_words_of_the_standard() {
    let mut profile = ToolPermissionProfile::new(id::<PermissionProfileId>("p"), RiskLevel::High);
    profile.write_effects = Some(vec![WriteEffect::None.into()]);
    assert_eq!(profile.problems(), []);
    profile.access_kinds = Some(vec![AccessKind::Network.into(), Open::read("file read")]);
    profile.credential_refs = Some(vec![String::new()]);
    assert_eq!(places(&profile), ["/access_kinds/1", "/credential_refs/0"]);
}

#[test]
fn an_execution_profile_that_states_everything_is_good() {
    let mut profile =
        ToolExecutionProfile::new(id::<ExecutionProfileId>("p"), ExecutionKind::Shell);
    for fact in [
        &mut profile.supports_progress,
        &mut profile.supports_cancel,
        &mut profile.supports_resume,
        &mut profile.supports_retries,
        &mut profile.supports_partial_results,
        &mut profile.supports_background,
        &mut profile.supports_artifacts,
        &mut profile.supports_context_modifiers,
        &mut profile.sandboxed,
    ] {
        *fact = Some(false);
    }
    profile.timeout_ms = Some(Millis(1));
    assert_eq!(profile.problems(), []);
    profile.timeout_ms = Some(Millis(0));
    profile.execution_kind = Open::read("magic");
    assert_eq!(places(&profile), ["/execution_kind", "/timeout_ms"]);
}

#[test]
fn a_scheduler_policy_locks_things_that_have_a_name() {
    let mut policy = ToolSchedulerPolicy::new(id::<SchedulerPolicyId>("p"));
    policy.max_parallel = Some(Count(1));
    policy.resource_locks = Some(vec![ResourceLock::new("disk", LockMode::Shared).into()]);
    assert_eq!(policy.problems(), []);
    policy.resource_locks =
        Some(vec![ResourceLock::new("", LockMode::Shared).into(), Loose::Raw(Object::new())]);
    assert_eq!(places(&policy), ["/resource_locks/0/key", "/resource_locks/1"]);
}

#[test]
fn an_error_that_passes_says_when() {
    let mut error = ToolError::new(ErrorClass::RateLimited);
    error.message = Some("slow down".to_owned());
    error.recoverability = Some(Recoverability::RetryAfterDelay.into());
    assert_eq!(places(&error), ["/retry_after"]);
    error.retry_after = Some(std::time::Duration::from_secs(3).into());
    assert_eq!(error.problems(), []);
    error.recoverability = Some(Open::read("pray"));
    error.abort_reason = Some(Open::read("boredom"));
    error.error_code = Some(String::new());
    assert_eq!(places(&error), ["/abort_reason", "/error_code", "/recoverability"]);
}

#[test]
fn the_run_of_a_hook_begins_before_it_ends() {
    let mut run = ToolHook::new(id::<HookId>("guard"), HookEvent::PreToolUse);
    assert_eq!(run.problems(), [], "a registration has no times");
    run.invocation_id = Some(any());
    assert_eq!(places(&run), ["/started_at"]);
    run.invocation_id = None;
    run.ended_at = Some(at(1));
    assert_eq!(places(&run), ["/started_at"]);
    run.started_at = Some(at(0));
    run.invocation_id = Some(any());
    run.hook_run_id = Some(Lax::from(any::<HookRunId>()).into());
    assert_eq!(run.problems(), []);
    run.outputs = Some(vec![HookOutput::new(Open::read("song")).into()]);
    run.permission_result = Some(Loose::Raw(Object::new()));
    assert_eq!(places(&run), ["/outputs/0/type", "/permission_result"]);
}
