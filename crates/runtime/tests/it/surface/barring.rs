//! What bars a tool, each with its reason.

use std::collections::BTreeSet;

use assent_protocol::agent_tool::{
    ExclusionReason, ExecutionKind, Flag, LoadingState, ToolKind, ToolLifecycle,
};
use assent_runtime::{
    Block, SurfaceContext, ToolDefinition,
    surface::{Resolution, Role},
};
use serde_json::json;

use crate::definitions::{catalog, definition, equipped, living, surface, with};

/// How a tool is barred in a context: `blocked` or `excluded`, and the reason.
fn barred(
    tool: ToolDefinition,
    change: impl FnOnce(&mut SurfaceContext),
) -> Option<(&'static str, String)> {
    let mut context = equipped();
    change(&mut context);
    let catalog = catalog([tool]);
    let surface = surface(&catalog, context);
    let name = catalog.tools().next().unwrap().name.to_string();
    let record = surface.record();
    let reason = |list: Option<Vec<assent_protocol::wire::Loose<_>>>| {
        let first: Option<assent_protocol::agent_tool::SurfaceExclusion> =
            list.unwrap().into_iter().next().and_then(|entry| entry.typed().cloned());
        first.map(|entry| entry.reason.to_string())
    };
    match surface.resolve(&name) {
        Resolution::Blocked { .. } => Some(("blocked", reason(record.blocked_tools).unwrap())),
        Resolution::NotSurfaced(_) => Some(("excluded", reason(record.excluded_tools).unwrap())),
        Resolution::Loaded(_) | Resolution::Deferred(_) => None,
        other => panic!("{other:?}"),
    }
}

fn because(how: &'static str, reason: &str) -> Option<(&'static str, String)> {
    Some((how, reason.to_owned()))
}

fn of_kind(kind: ToolKind) -> ToolDefinition {
    with("t", "act", |tool| tool.declaration.tool_kind = kind.into())
}

fn run_by(kind: ExecutionKind) -> ToolDefinition {
    with("t", "act", |tool| tool.execution.execution_kind = kind.into())
}

/// Item 38: agents within agents.
#[test]
fn recursive_agent_tools_are_blocked_inside_of_agents() {
    for tool in [of_kind(ToolKind::PeerAgentTool), run_by(ExecutionKind::PeerAgent)] {
        assert_eq!(barred(tool.clone(), |_| {}), None);
        let expected = because("blocked", "recursive_tool_forbidden");
        assert_eq!(barred(tool, |context| context.sub_agent = true), expected);
    }
}

/// Item 38: no person to ask.
#[test]
fn tools_that_need_a_person_are_blocked_without_one() {
    let asking = with("t", "act", |tool| tool.interface.requires_user_interaction = Some(true));
    assert_eq!(barred(asking.clone(), |_| {}), None);
    let expected = because("blocked", "interaction_unavailable");
    assert_eq!(barred(asking, |context| context.interactive = false), expected);
    assert_eq!(barred(definition("t", "act"), |context| context.interactive = false), None);
}

/// Item 38: nothing may be changed.
#[test]
fn tools_that_write_are_blocked_in_read_only_mode() {
    let expected = because("blocked", "read_only_mode");
    let stated = |flag: Option<Flag>| {
        let tool = with("t", "act", |tool| {
            tool.interface.is_read_only = flag;
            tool.interface.classifier_input = Some(json!("input"));
        });
        barred(tool, |context| context.read_only = true)
    };
    assert_eq!(stated(None), expected);
    assert_eq!(stated(Some(false.into())), expected);
    assert_eq!(stated(Some(Flag::Text("nonsense".to_owned()))), expected);
    assert_eq!(stated(Some(true.into())), None);
    assert_eq!(stated(Some(Flag::Text("classifier:x".to_owned()))), None, "each input is judged");
    let lying = with("t", "act", |tool| {
        tool.interface.is_read_only = Some(true.into());
        tool.interface.is_destructive = Some(true.into());
    });
    assert_eq!(barred(lying, |context| context.read_only = true), expected);
}

/// Item 38: no browser.
#[test]
fn browser_tools_are_left_out_without_a_session() {
    for tool in [of_kind(ToolKind::BrowserAction), run_by(ExecutionKind::Browser)] {
        assert_eq!(barred(tool.clone(), |_| {}), None);
        let expected = because("excluded", "browser_session_missing");
        assert_eq!(barred(tool, |context| context.browser_session = false), expected);
    }
}

/// Item 38: no shell, or not in the sandbox that the tool needs.
#[test]
fn shell_tools_are_left_out_by_sandbox_policy() {
    for tool in [
        of_kind(ToolKind::ShellCommand),
        of_kind(ToolKind::CodeExecution),
        run_by(ExecutionKind::Shell),
    ] {
        assert_eq!(barred(tool.clone(), |_| {}), None);
        let expected = because("excluded", "sandbox_forbidden");
        assert_eq!(barred(tool, |context| context.shell = false), expected);
    }
    let caged = with("t", "act", |tool| tool.execution.sandbox_profile = Some("strict".to_owned()));
    assert_eq!(barred(caged.clone(), |_| {}), because("excluded", "sandbox_missing"));
    let has_it =
        |context: &mut SurfaceContext| context.sandboxes = BTreeSet::from(["strict".to_owned()]);
    assert_eq!(barred(caged, has_it), None);
}

/// Item 36: credentials, setup, features, roles, the host, providers.
#[test]
fn every_other_bar_has_its_reason_too() {
    let keyed = with("t", "act", |tool| {
        tool.permission.credential_refs = Some(vec!["a".to_owned()]);
        tool.interface.extra.insert("required_credentials".to_owned(), json!(["b"]));
    });
    let has = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let missing = because("blocked", "credential_missing");
    assert_eq!(barred(keyed.clone(), |_| {}), missing);
    assert_eq!(barred(keyed.clone(), |context| context.credentials = has(&["a"])), missing);
    assert_eq!(barred(keyed, |context| context.credentials = has(&["a", "b"])), None);

    let unset = with("t", "act", |tool| {
        tool.interface.extra.insert("requires_setup".to_owned(), json!(true));
    });
    assert_eq!(barred(unset, |_| {}), because("blocked", "setup_required"));

    let gated = with("t", "act", |tool| {
        tool.interface.extra.insert("feature_gate_refs".to_owned(), json!(["beta"]));
    });
    assert_eq!(barred(gated.clone(), |_| {}), because("excluded", "feature_disabled"));
    assert_eq!(barred(gated, |context| context.features = has(&["beta"])), None);

    let off = with("t", "act", |tool| tool.interface.is_enabled = Some(false.into()));
    assert_eq!(barred(off, |_| {}), because("blocked", "feature_disabled"));

    let guest = |context: &mut SurfaceContext| {
        context.role = Some(Role { name: "guest".to_owned(), may_use: Some(has(&["t:other"])) });
    };
    assert_eq!(barred(definition("t", "act"), guest), because("excluded", "role_not_allowed"));

    let internal = with("t", "act", |tool| {
        let internal = assent_protocol::agent_tool::SchemaVisibility::Internal;
        tool.interface.schema_visibility = Some(internal);
    });
    assert_eq!(barred(internal, |_| {}), because("excluded", "internal"));
}

/// Item 36: tools that the host excludes are recorded with its policies, by any name of the tool.
#[test]
fn the_host_bars_a_tool_by_any_of_its_names() {
    for name in ["t:act", "act", "t/act"] {
        let catalog = catalog([definition("t", "act"), definition("u", "other")]);
        let mut context = equipped();
        let mut block = Block::new(name, ExclusionReason::PolicyBlocked);
        block.detail = Some("not today".to_owned());
        block.policy_refs = vec!["policy:7".to_owned()];
        context.blocked = vec![block, Block::new("nobody", ExclusionReason::PolicyBlocked)];
        let surface = surface(&catalog, context);
        let Resolution::Blocked { tool, reason, detail, policy_refs } = surface.resolve("act")
        else {
            panic!("{name} does not block")
        };
        assert_eq!((tool.id.as_str(), reason), ("t:act", ExclusionReason::PolicyBlocked));
        assert_eq!(
            (detail.as_deref(), policy_refs),
            (Some("not today"), vec!["policy:7".to_owned()])
        );
        let policy = surface.record().selection_policy.unwrap();
        assert_eq!(policy["blocked_unknown"], json!(["nobody"]));
    }
}

#[test]
fn a_block_that_fits_several_tools_bars_all_of_them() {
    let catalog = catalog([definition("a", "act"), definition("b", "act")]);
    let mut context = equipped();
    context.blocked = vec![Block::new("act", ExclusionReason::PolicyBlocked)];
    let surface = surface(&catalog, context);
    for name in ["a/act", "b/act"] {
        assert!(matches!(surface.resolve(name), Resolution::Blocked { .. }), "{name}");
    }
}

/// E56: the reason for a block does not reveal a hidden tool.
#[test]
fn a_tool_that_is_hidden_is_not_reported_as_blocked() {
    let disabled = living("act", ToolLifecycle::Disabled);
    let guest = |context: &mut SurfaceContext| {
        context.role = Some(Role { name: "guest".to_owned(), may_use: Some(BTreeSet::new()) });
        context.blocked = vec![Block::new("act", ExclusionReason::PolicyBlocked)];
    };
    assert_eq!(barred(disabled, guest), because("excluded", "role_not_allowed"));
}

#[test]
fn a_blocked_tool_is_not_replaced_by_another_with_that_alias() {
    let alias = with("u", "other", |tool| {
        let alias: assent_ids::CallableName = "act".parse().unwrap();
        tool.declaration.aliases = Some(vec![(&alias).into()]);
    });
    let catalog = catalog([living("act", ToolLifecycle::Disabled), alias]);
    let surface = surface(&catalog, equipped());
    assert!(matches!(surface.resolve("act"), Resolution::Blocked { .. }));
}

#[test]
fn a_provider_that_failed_makes_its_tools_unavailable_with_a_reason() {
    let mut catalog =
        catalog([with("t", "act", |tool| tool.provider = Some("p".parse().unwrap()))]);
    catalog.provider_failed("p".parse().unwrap(), "connection refused");
    let surface = surface(&catalog, equipped());
    let Resolution::Blocked { detail, .. } = surface.resolve("act") else { panic!("not blocked") };
    assert_eq!(detail.as_deref(), Some("connection refused"));
    let record = surface.deferred_ref(&"t:act".parse().unwrap()).unwrap();
    assert_eq!(record.loading_state, LoadingState::Unavailable);
    assert_eq!(record.reason.as_deref(), Some("provider_unavailable"));
}

/// Nothing is assumed to be there.
#[test]
fn the_plain_context_bars_what_needs_anything() {
    let mut context = SurfaceContext::new(assent_protocol::agent_tool::SurfaceScope::Turn);
    context.interactive = false;
    for kind in [ToolKind::ShellCommand, ToolKind::BrowserAction, ToolKind::CodeExecution] {
        let catalog = catalog([of_kind(kind)]);
        let surface = surface(&catalog, context.clone());
        assert!(matches!(surface.resolve("act"), Resolution::NotSurfaced(_)), "{kind}");
    }
}
