//! Which tools a hook is for.

use std::sync::Arc;

use assent_policy::Decision;
use assent_protocol::agent_tool::HookEvent;
use assent_runtime::{Answer, HookEffects, Registration, ToolDefinition, ToolPattern};
use serde_json::json;

use crate::{
    actors::{Person, Spy, hook, hooks},
    definitions::with,
    desk::{Desk, class},
};

/// Says no to tools that this pattern means.
fn guard(pattern: &str) -> Registration {
    let mut guard = hook("guard", HookEvent::PreToolUse, |_| {
        let decide = Some((Decision::Deny, None));
        Ok(HookEffects { decide, ..HookEffects::default() })
    });
    guard.tools = ToolPattern::parse(pattern).unwrap();
    guard
}

/// Reads, under several names. Its id is `fs:read`.
fn tool(namespace: &str, name: &str) -> ToolDefinition {
    with(namespace, name, |tool| {
        tool.interface.is_read_only = Some(true.into());
        let aliases = ["cat", "old/read"]
            .map(|alias| assent_ids::Lax::from(alias.parse::<assent_ids::CallableName>().unwrap()));
        tool.declaration.aliases = Some(aliases.to_vec());
    })
}

/// Whether the guard keeps a tool from running that is called by this name.
async fn guards(pattern: &str, tool: ToolDefinition, called: &str) -> bool {
    let spy = Arc::new(Spy::default());
    let desk = Desk::new(vec![(tool, Arc::clone(&spy) as _)], |builder| {
        builder.hooks(hooks([guard(pattern)]))
    });
    let result = desk.call(called, json!({"path": "a"})).await;
    let is_denied = class(&result).as_deref() == Some("permission_denied");
    assert_eq!(spy.runs(), usize::from(!is_denied), "{pattern}, {called}: {:?}", class(&result));
    is_denied
}

/// A hook means a tool by whatever a rule means it by, and by its other names: it does not matter how the tool
/// is called.
#[tokio::test(start_paused = true)]
async fn a_tool_is_guarded_under_every_name_it_has() {
    for called in ["read", "fs/read", "cat", "old/read"] {
        for (pattern, expected) in [
            ("fs:read", true),
            ("fs/read", true),
            ("read", true),
            ("cat", true),
            ("fs/cat", true),
            ("old/read", true),
            ("*", true),
            ("fs/*", true),
            ("old/*", true),
            ("r?ad", true),
            ("fs", false),
            ("/read", false),
            ("Read", false),
            ("other/*", false),
            ("fs/read/", false),
        ] {
            let is_guarded = guards(pattern, tool("fs", "read"), called).await;
            assert_eq!(is_guarded, expected, "{pattern}, called as {called}");
        }
    }
}

/// A name may look like a qualified one.
#[tokio::test(start_paused = true)]
async fn a_tool_whose_name_has_a_slash_is_guarded_by_that_name() {
    for (pattern, expected) in [
        ("fs/read", true),
        ("files/fs/read", true),
        ("fs/*", true),
        ("files/*", true),
        ("read", false),
        ("files/read", false),
    ] {
        let is_guarded = guards(pattern, tool("files", "fs/read"), "fs/read").await;
        assert_eq!(is_guarded, expected, "{pattern}");
    }
}

/// A producer gives its tools the other names it likes. The yes of a hook that was to vouch for another tool
/// does not spare the question.
#[tokio::test(start_paused = true)]
async fn a_hook_vouches_for_a_tool_only_under_its_own_name() {
    for (pattern, asked) in [("write", 0), ("fs/write", 0), ("cat", 1)] {
        let mut vouches = hook("vouches", HookEvent::PreToolUse, |_| {
            let decide = Some((Decision::Allow, None));
            Ok(HookEffects { decide, ..HookEffects::default() })
        });
        vouches.tools = ToolPattern::parse(pattern).unwrap();
        vouches.authoritative = true;
        let mut changing = tool("fs", "write");
        changing.interface.is_read_only = None;
        changing.permission.approval_required = Some(true);
        let person = Person::new(|_| Answer::Unavailable);
        let desk = Desk::new(vec![(changing, Arc::new(Spy::default()))], |builder| {
            builder.hooks(hooks([vouches])).approver(Arc::clone(&person) as _)
        });
        desk.call("write", json!({"path": "a"})).await;
        assert_eq!(person.questions(), asked, "{pattern}");
    }
}
