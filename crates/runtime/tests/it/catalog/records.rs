//! Tools as records: every fact is stated, with a list of the derived ones.

use assent_journal::Noted;
use assent_protocol::{
    agent_tool::{
        ExecutionKind, Flag, InterruptBehavior, SCHEMA_VERSION, ToolKind, WriteEffect,
        strict::Strict,
    },
    wire::{Loose, Millis},
};
use serde_json::json;

use crate::definitions::{contract, definition, lints, tool, with};

/// Item 2: whatever version a definition has, records have ours.
#[test]
fn records_are_stamped_with_the_version_of_the_standard() {
    let old = with("t", "read", |tool| tool.declaration.schema_version = "0.1.0".into());
    let tool = tool(old);
    for version in [
        tool.declaration().schema_version,
        tool.interface().schema_version,
        tool.execution_profile().schema_version,
        tool.permission_profile().schema_version,
    ] {
        assert_eq!(version, SCHEMA_VERSION);
    }
}

/// Items 16, 94: four records, each with nothing left to say.
#[test]
fn the_facts_of_a_tool_are_in_four_complete_records() {
    let records = tool(definition("t", "read")).records();
    let problems: Vec<_> = records
        .iter()
        .flat_map(|record| match record {
            Noted::Declaration(record) => record.problems(),
            Noted::Interface(record) => record.problems(),
            Noted::ExecutionProfile(record) => record.problems(),
            Noted::PermissionProfile(record) => record.problems(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!((records.len(), problems), (4, Vec::new()));
}

/// Item 16: each part has its own place, and they point to each other.
#[test]
fn the_records_point_to_each_other() {
    let tool = tool(definition("t", "read"));
    let (declaration, interface) = (tool.declaration(), tool.interface());
    assert_eq!(declaration.interface_ref, Some(interface.interface_id));
    let execution = Some(tool.execution_profile().execution_profile_id);
    assert_eq!(declaration.execution_profile_ref, execution);
    assert_eq!(interface.execution_profile_ref, execution);
    let permission = Some(tool.permission_profile().permission_profile_id);
    assert_eq!(declaration.permission_profile_ref, permission);
    assert_eq!(interface.permission_profile_ref, permission);
}

/// Items 18-24, 26: facts that are not stated have the conservative value, and are marked as derived.
#[test]
fn an_exported_interface_lists_what_was_inferred() {
    let interface = tool(definition("t", "read")).interface();
    assert_eq!(interface.is_concurrency_safe, Some(Flag::Stated(false)));
    assert_eq!(interface.is_read_only, Some(Flag::Stated(false)));
    assert_eq!(interface.is_destructive, None);
    assert_eq!(interface.is_open_world, Some(Flag::Stated(true)));
    assert_eq!(interface.requires_user_interaction, Some(false));
    assert_eq!(interface.strict, Some(true));
    assert_eq!(interface.interrupt_behavior, Some(Loose::Typed(InterruptBehavior::Block)));
    assert_eq!(interface.classifier_input, Some(json!("")));
    let inferred = [
        "is_enabled",
        "is_read_only",
        "is_concurrency_safe",
        "is_destructive",
        "is_open_world",
        "strict",
        "requires_user_interaction",
        "classifier_input",
        "interrupt_behavior",
    ];
    assert_eq!(interface.inferred_facts, Some(Loose::Typed(inferred.map(str::to_owned).to_vec())));
}

/// Item 26: stated facts are not marked as inferred.
#[test]
fn stated_facts_are_exported_as_stated() {
    let stated = with("t", "sh", |tool| {
        let interface = &mut tool.interface;
        interface.is_enabled = Some(true.into());
        interface.is_read_only = Some(Flag::Text("classifier:shell".to_owned()));
        interface.is_concurrency_safe = Some(Flag::Text("same_as:is_read_only".to_owned()));
        interface.is_destructive = Some(false.into());
        interface.is_open_world = Some(false.into());
        interface.strict = Some(false);
        interface.requires_user_interaction = Some(true);
        interface.classifier_input = Some(json!("input.path"));
        interface.interrupt_behavior = Some(Loose::Typed(InterruptBehavior::Cancel));
        interface.inferred_facts = Some(Loose::Typed(vec!["everything".to_owned()]));
    });
    let (given, exported) = (stated.interface.clone(), tool(stated).interface());
    assert_eq!(exported.is_read_only, given.is_read_only);
    assert_eq!(exported.is_concurrency_safe, given.is_concurrency_safe);
    assert_eq!(exported.is_destructive, given.is_destructive);
    assert_eq!(exported.strict, Some(false));
    assert_eq!(exported.inferred_facts, Some(Loose::Typed(Vec::new())));
}

/// Items 22-24: the exported values are those that the runtime uses.
#[test]
fn the_defaults_of_an_interface_are_those_the_runtime_uses() {
    let tool = tool(definition("t", "read"));
    assert_eq!(tool.interrupt, None, "the scheduler's policy decides, which blocks by default");
    assert!(!tool.needs.interaction && tool.is_strict());
}

/// Item 23: without a schema there is nothing to be strict about.
#[test]
fn only_structured_tools_are_strict_by_default() {
    let text = with("t", "say", |tool| {
        contract(tool).model_input_schema = None;
        contract(tool).argument_mode = Some(assent_protocol::agent_tool::ArgumentMode::Text.into());
    });
    assert!(!tool(text).is_strict());
    assert!(!tool(with("t", "say", |tool| contract(tool).strict = Some(false))).is_strict());
}

/// Item 94: what is not supported says so.
#[test]
fn an_execution_profile_states_every_support() {
    let record = tool(with("t", "read", |tool| tool.execution.supports_cancel = Some(true)));
    let record = serde_json::to_value(record.execution_profile()).unwrap();
    for (support, is_there) in [
        ("supports_progress", false),
        ("supports_cancel", true),
        ("supports_timeout", true),
        ("supports_resume", false),
        ("supports_retries", false),
        ("supports_partial_results", false),
        ("supports_background", false),
        ("supports_result_persistence", true),
        ("supports_artifacts", false),
        ("sandboxed", false),
        ("supports_credential_delegation", false),
        ("supports_offline", false),
        ("supports_context_modifiers", false),
    ] {
        assert_eq!(record[support], json!(is_there), "{support}");
    }
    assert_eq!(record["timeout_ms"], json!(120_000));
}

/// Item 96: a tool that runs commands states how, and where it does not, there is a recommendation, and the record says so.
#[test]
fn a_shell_says_how_it_runs_commands() {
    let facts = ["command_parsing", "cwd_policy", "env_policy", "exit_code_meaning"];
    let silent = with("t", "sh", |tool| {
        tool.execution.execution_kind = ExecutionKind::Shell.into();
        tool.interface.classifier_input = Some(json!("input.path"));
    });
    let missing = [
        "command_parsing",
        "cwd_policy",
        "env_policy",
        "exit_code_meaning",
        "sandboxed",
        "supports_background",
        "timeout_ms",
    ];
    assert_eq!(lints(silent.clone()), missing.map(|fact| format!("/execution/{fact}")));
    let record = tool(silent.clone()).execution_profile();
    assert!(facts.iter().all(|fact| record.extra[*fact] == "unstated"));
    assert_eq!((record.sandboxed, record.supports_background), (Some(false), Some(false)));

    let mut stated = silent;
    let profile = &mut stated.execution;
    profile.sandboxed = Some(true);
    profile.supports_background = Some(false);
    profile.timeout_ms = Some(Millis(5_000));
    profile.extra.extend(facts.map(|fact| (fact.to_owned(), json!("said"))));
    assert_eq!(lints(stated.clone()), [""; 0]);
    let record = tool(stated).execution_profile();
    assert!(facts.iter().all(|fact| record.extra[*fact] == "said"));
    assert_eq!(tool(definition("t", "read")).execution_profile().extra.get("cwd_policy"), None);
}

/// Item 75: the profile says what it derived, and nothing that is unknown.
#[test]
fn a_permission_profile_tells_derived_facts_apart() {
    let silent = tool(definition("t", "read")).permission_profile();
    assert_eq!(silent.approval_required, Some(false));
    assert_eq!(silent.write_effects, None);
    assert_eq!(silent.extra["inferred_facts"], json!(["approval_required", "redaction_required"]));
    let harmless = with("t", "read", |tool| {
        tool.interface.is_read_only = Some(true.into());
        tool.permission.approval_required = Some(true);
        tool.permission.redaction_required = Some(true);
    });
    let harmless = tool(harmless).permission_profile();
    assert_eq!(harmless.write_effects, Some(vec![WriteEffect::None.into()]));
    assert_eq!(harmless.extra["inferred_facts"], json!(["write_effects"]));
}

#[test]
fn a_debug_print_of_a_tool_is_short() {
    let text = format!(
        "{:?}",
        tool(with("t", "read", |tool| tool.declaration.tool_kind = ToolKind::Custom.into()))
    );
    assert!(text.starts_with("Tool { id: t:read, name: read, digest: "), "{text}");
}
