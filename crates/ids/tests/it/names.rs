//! Names: what is accepted, what is refused, never a panic.

use assent_ids::{
    CallId, CallableName, Fault, I18nKey, ManifestHash, Namespace, ScopeId, ToolId, ToolName,
};
use proptest::prelude::*;

#[test]
fn tool_names_follow_the_manifest_pattern() {
    for good in ["ab", "read_file", "a1", &format!("a{}", "b".repeat(31))] {
        assert_eq!(good.parse::<ToolName>().unwrap().as_str(), good);
    }
    for bad in [
        "",
        "a",
        "A1",
        "aB",
        "1a",
        "_a",
        "read-file",
        "réad",
        "ab\n",
        &format!("a{}", "b".repeat(32)),
    ] {
        assert!(bad.parse::<ToolName>().is_err(), "{bad:?}");
    }
}

#[test]
fn scope_ids_are_an_area_and_an_action() {
    let scope: ScopeId = "filesystem:read".parse().unwrap();
    assert_eq!((scope.area(), scope.action(), scope.is_reserved()), ("filesystem", "read", false));
    for reserved in ["system:shutdown", "hashee:admin", "assent:grant"] {
        assert!(reserved.parse::<ScopeId>().unwrap().is_reserved());
    }
    for bad in ["", "files", "files:", ":read", "a:b:c", "Files:read", "files:re ad", "1a:b"] {
        assert!(bad.parse::<ScopeId>().is_err(), "{bad:?}");
    }
}

#[test]
fn other_names_keep_their_forms() {
    assert!("mcp.github".parse::<Namespace>().is_ok());
    assert!("mcp github".parse::<Namespace>().is_err());
    assert!("mcp__github__search_issues".parse::<CallableName>().is_ok());
    assert!("agent.scope.filesystem_read.label".parse::<I18nKey>().is_ok());
    assert!("agent..label".parse::<I18nKey>().is_err());
    assert!("0".repeat(64).parse::<ManifestHash>().is_ok());
    assert_eq!("0".repeat(63).parse::<ManifestHash>().unwrap_err().fault(), Fault::Length(64));
    assert!("A".repeat(64).parse::<ManifestHash>().is_err());
}

#[test]
fn a_token_is_visible_and_bounded() {
    assert!("call_abc123".parse::<CallId>().is_ok());
    assert_eq!("".parse::<CallId>().unwrap_err().fault(), Fault::Empty);
    assert!("x".repeat(256).parse::<CallId>().is_ok());
    assert_eq!("x".repeat(257).parse::<CallId>().unwrap_err().fault(), Fault::TooLong(256));
    for hidden in ["a b", "a\u{0}", "a\u{200b}b", "\u{202e}a", "a\u{e0041}", "a\u{feff}"] {
        assert!(hidden.parse::<CallId>().is_err(), "{hidden:?}");
    }
}

#[test]
fn json_reads_names_strictly() {
    assert!(serde_json::from_str::<ToolName>("\"read_file\"").is_ok());
    let error = serde_json::from_str::<ToolName>("\"Read File\"").unwrap_err();
    assert!(error.to_string().contains("`Read File` is not a valid tool name"), "{error}");
}

#[test]
fn an_unknown_tool_still_has_an_id() {
    assert_eq!(ToolId::unresolved("rm -rf %").as_str(), "unresolved:rm%20-rf%20%25");
    assert!(ToolId::unresolved("").is_unresolved());
    assert_eq!(ToolId::unresolved(&"x".repeat(1000)).as_str().len(), 256);
    assert!(!"mcp.github.search".parse::<ToolId>().unwrap().is_unresolved());
}

proptest! {
    #[test]
    fn parsing_never_panics_and_keeps_the_text(text: String) {
        if let Ok(id) = text.parse::<CallId>() { prop_assert_eq!(id.to_string(), text.clone()); }
        if let Ok(id) = text.parse::<ToolName>() { prop_assert_eq!(id.to_string(), text.clone()); }
        if let Ok(id) = text.parse::<ScopeId>() { prop_assert_eq!(id.to_string(), text.clone()); }
        if let Ok(id) = text.parse::<I18nKey>() { prop_assert_eq!(id.to_string(), text.clone()); }
    }

    #[test]
    fn the_stand_in_of_an_unknown_tool_is_always_a_valid_id(requested: String) {
        let id = ToolId::unresolved(&requested);
        prop_assert_eq!(id.as_str().parse::<ToolId>().unwrap(), id);
    }

    #[test]
    fn good_tool_names_are_accepted(name in "[a-z][a-z0-9_]{1,31}") {
        prop_assert!(name.parse::<ToolName>().is_ok());
    }

    #[test]
    fn good_scopes_are_accepted(scope in "[a-z][a-z0-9_]{0,20}:[a-z][a-z0-9_]{0,20}") {
        prop_assert!(scope.parse::<ScopeId>().is_ok());
    }
}
