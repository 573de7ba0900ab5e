//! From the name that a caller uses to the tool that is meant.

use std::sync::{Arc, atomic::Ordering};

use assent_ids::CallableName;
use assent_protocol::agent_tool::ToolLifecycle;
use assent_runtime::{Executor, ToolDefinition};
use serde_json::json;

use crate::{
    actors::says,
    definitions::{living, with},
    desk::{Desk, Echo, rules},
    story::as_value,
};

/// Items 49, 50, 52, 109: a name, an alias or a qualified name leads to a tool of the surface; anything
/// else is distinguished, and a tool whose schema the caller lacks does not run before it is loaded.
#[tokio::test(start_paused = true)]
async fn tools_are_found_by_their_names_on_the_surface_only() {
    let spy = Arc::new(Echo::default());
    let aliased = with("files", "read", |tool| {
        tool.interface.is_read_only = Some(true.into());
        tool.declaration.aliases = Some(vec!["cat".parse::<CallableName>().unwrap().into()]);
    });
    let mut later = living("later", ToolLifecycle::Deferred);
    later.interface.is_read_only = Some(true.into());
    let tools: Vec<(ToolDefinition, Arc<dyn Executor>)> = vec![
        (aliased, says("fine")),
        (later, Arc::clone(&spy) as _),
        (living("off", ToolLifecycle::Disabled), says("fine")),
        (living("setup", ToolLifecycle::RequiresSetup), says("fine")),
        (living("old", ToolLifecycle::Retired), says("fine")),
        (with("a", "twin", |_| {}), says("fine")),
        (with("b", "twin", |_| {}), says("fine")),
    ];
    let desk = Desk::new(tools, |builder| builder);
    for name in ["read", "cat", "files/read"] {
        let result = desk.call(name, json!({"path": "a"})).await;
        assert_eq!(result.status.as_str(), "succeeded", "{name}");
    }
    for (name, expected, code) in [
        ("raed", "unknown_tool", "unknown_tool"),
        ("old", "unknown_tool", "tool_not_surfaced"),
        ("twin", "unknown_tool", "ambiguous_tool"),
        ("off", "blocked_tool", "feature_disabled"),
        ("setup", "setup_required", "setup_required"),
        ("later", "schema_not_loaded", "schema_not_loaded"),
    ] {
        let result = as_value(&desk.call(name, json!({"path": "a"})).await);
        assert_eq!(result["error"]["error_class"], expected, "{name}");
        assert_eq!(result["error"]["error_code"], code, "{name}");
        assert_eq!(result["is_error"], true);
    }
    let result = as_value(&desk.call("later", json!({"path": "a"})).await);
    let hint = result["error"]["details"].clone();
    assert_eq!(hint, json!({"next_action": "discover", "query": "select:later"}));
    assert_eq!(spy.runs.load(Ordering::SeqCst), 0);
    desk.runtime.search(hint["query"].as_str().unwrap(), None);
    let result = desk.call("later", json!({"path": "a"})).await;
    assert_eq!(result.status.as_str(), "succeeded");
    assert_eq!(spy.runs.load(Ordering::SeqCst), 1);
}

/// Item 5: a tool that was renamed does not get around what was said of it before.
#[tokio::test]
async fn a_rule_that_denies_an_old_name_denies_the_tool_under_every_name() {
    let renamed = with("files", "read", |tool| {
        tool.interface.is_read_only = Some(true.into());
        tool.declaration.aliases = Some(vec!["cat".parse::<CallableName>().unwrap().into()]);
    });
    for pattern in ["cat", "files/cat"] {
        let policy = rules(json!([{"id": "never", "behavior": "deny", "tool": pattern}]));
        let tools: Vec<(ToolDefinition, Arc<dyn Executor>)> = vec![(renamed.clone(), says("fine"))];
        let desk = Desk::new(tools, |builder| builder.policy(policy));
        for name in ["read", "cat", "files/read", "files/cat"] {
            let result = as_value(&desk.call(name, json!({"path": "a"})).await);
            assert_eq!(result["error"]["error_class"], "permission_denied", "{pattern} {name}");
        }
    }
}
