//! `assent admin …`

use serde_json::json;

use crate::running::{Relay, bare, run};

#[test]
fn keys_are_rotated_and_the_database_is_copied_while_the_relay_runs() {
    let relay = Relay::start(&[]);
    let rotated = relay.admin(&["keys", "rotate"]);
    assert_eq!(rotated.code, 0, "{}", rotated.stderr);
    assert!(rotated.text().starts_with("access tokens are signed with key_"), "{}", rotated.text());
    let again = relay.admin(&["keys", "rotate", "--json"]).json();
    assert!(again["previous_valid_until"].is_string(), "{again}");

    let copy = relay.data().join("copy.db");
    let copied = relay.admin(&["backup", copy.to_str().unwrap(), "--json"]).json();
    assert_eq!(copied["size_bytes"], std::fs::metadata(&copy).unwrap().len());
    let refused = relay.admin(&["backup", copy.to_str().unwrap()]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("CONFLICT: the file exists already"), "{}", refused.stderr);
}

#[test]
fn agents_are_listed_and_what_is_not_there_is_said_so() {
    let relay = Relay::start(&[]);
    let list = relay.admin(&["agents", "list"]);
    assert_eq!((list.code, list.text()), (0, "no such agents\n"));
    let list = relay.admin(&["agents", "list", "--state", "suspended", "mail", "--json"]);
    assert_eq!(list.json(), json!({"data": [], "next_cursor": null}));
    let agent = "agt_01J00000000000000000000000";
    for command in
        [&["agents", "suspend", agent, "--reason", "spam"][..], &["agents", "restore", agent]]
    {
        let refused = relay.admin(command);
        assert_eq!(refused.code, 1);
        assert!(refused.stderr.contains("NOT_FOUND"), "{}", refused.stderr);
    }
    let refused = relay.admin(&["agents", "restore", agent, "--json"]).json();
    assert_eq!(refused["error"]["code"], "NOT_FOUND");
    assert_eq!(relay.admin(&["agents", "suspend", "nobody"]).code, 2);
}

#[test]
fn an_agent_is_suspended_and_restored() {
    let relay = Relay::start(&[]);
    let (_, agent, _) = relay.owner_and_agent();
    let suspended = relay.admin(&["agents", "suspend", &agent, "--reason", "spam"]);
    assert_eq!(suspended.text(), format!("{agent} `files` is suspended\n"));
    let list = relay.admin(&["agents", "list", "FILES", "--state", "suspended"]);
    assert!(list.text().starts_with(&agent) && list.text().contains("files (ada)"));
    let list = relay.admin(&["agents", "list", "--json"]).json();
    assert_eq!(list["data"][0]["suspended_reason"], "spam");
    let restored = relay.admin(&["agents", "restore", &agent, "--json"]).json();
    assert_eq!(restored["state"], "active");
    let relation = relay.admin(&["relations", "suspend", "rel_01J00000000000000000000000"]);
    assert_eq!(relation.code, 1);
    assert!(relation.stderr.contains("NOT_FOUND"), "{}", relation.stderr);
}

#[test]
fn without_a_relay_the_admin_commands_fail() {
    let folder = tempfile::tempdir().unwrap();
    let alone = run(bare(&["admin", "agents", "list", "--data"]).arg(folder.path()));
    assert_eq!(alone.code, 2);
    assert!(alone.stderr.contains("is the relay running?"), "{}", alone.stderr);
}
