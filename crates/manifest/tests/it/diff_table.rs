//! The tables of the specification and of the documents around it, row by row.

use assent_manifest::{Change, ChangeKind, Diff, Rule, RuleSet, diff};
use serde_json::{Value, json};

use crate::{edit, edited, manifest, scope, tool};

fn between(old: &Value, new: &Value, rules: RuleSet) -> Diff {
    diff(old.to_string().as_bytes(), new.to_string().as_bytes(), rules).unwrap()
}

/// The only change from the plain manifest to `new`, by the canonical rules, and whether the strict
/// ones find it breaking.
fn only(new: &Value) -> (Change, bool) {
    only_between(&manifest(), new)
}

fn only_between(old: &Value, new: &Value) -> (Change, bool) {
    let strict = between(old, new, RuleSet::Strict).breaking;
    let diff = between(old, new, RuleSet::Canonical);
    assert_eq!(diff.changes.len(), 1, "{:#?}", diff.changes);
    (diff.changes.into_iter().next().unwrap(), strict)
}

const SCHEMA: &str = "/tools/0/input_schema";

fn schema_edit(pointer: &str, value: Option<Value>) -> Value {
    edited(&format!("{SCHEMA}{pointer}"), value)
}

#[test]
fn a_field_that_must_be_given_is_breaking() {
    let (change, strict) = only(&schema_edit("/required", Some(json!(["path", "mode"]))));
    assert_eq!((change.kind, change.rule), (ChangeKind::RequiredAdded, Rule::InputRequiredAdded));
    assert_eq!(change.path, format!("{SCHEMA}/required/1"));
    assert!(change.breaking && strict);
    let witness = change.witness.unwrap();
    assert!(witness.get("path").is_some() && witness.get("mode").is_none(), "{witness}");
}

#[test]
fn a_changed_type_is_breaking_even_if_it_only_widens() {
    let number = |kind: Value| {
        let mut manifest = manifest();
        manifest["tools"][0]["input_schema"]["properties"]["n"] = json!({"type": kind});
        manifest
    };
    for (before, after, has_witness) in [
        (json!("integer"), json!("number"), false),
        (json!("string"), json!(["string", "null"]), false),
        (json!("string"), json!("integer"), true),
        (json!(["string", "null"]), json!("string"), true),
    ] {
        let (change, strict) = only_between(&number(before.clone()), &number(after.clone()));
        assert_eq!((change.kind, change.rule), (ChangeKind::TypeChanged, Rule::InputTypeChanged));
        assert_eq!(change.path, format!("{SCHEMA}/properties/n/type"));
        assert_eq!((change.old, change.new), (Some(before), Some(after)));
        assert_eq!(change.witness.is_some(), has_witness);
        assert!(change.breaking && strict);
    }
}

#[test]
fn a_type_written_in_other_words_is_not_changed() {
    let old = schema_edit("/properties/path", Some(json!({"type": ["string", "null"]})));
    let new = schema_edit(
        "/properties/path",
        Some(json!({"anyOf": [{"type": "null"}, {"type": "string"}]})),
    );
    let diff = between(&old, &new, RuleSet::Canonical);
    assert!(!diff.breaking && !diff.changes.is_empty(), "{:#?}", diff.changes);
}

#[test]
fn closing_a_schema_is_breaking_and_opening_it_is_not() {
    let open = schema_edit("/additionalProperties", Some(json!(true)));
    let (change, strict) = only_between(&open, &manifest());
    assert_eq!((change.rule, change.breaking, strict), (Rule::InputClosed, true, true));
    assert_eq!(change.path, format!("{SCHEMA}/additionalProperties"));
    assert!(change.witness.is_some());
    let (change, strict) = only_between(&manifest(), &open);
    assert_eq!((change.rule, change.breaking, strict), (Rule::InputWidened, false, true));
    let unstated = schema_edit("/additionalProperties", None);
    let (change, _) = only_between(&unstated, &manifest());
    assert_eq!((change.rule, change.breaking), (Rule::InputClosed, true));
}

#[test]
fn removing_an_option_is_breaking_and_adding_one_is_not() {
    let (change, _) = only(&schema_edit("/properties/mode/enum", Some(json!(["r"]))));
    assert_eq!(
        (change.kind, change.rule),
        (ChangeKind::EnumValueRemoved, Rule::InputEnumValueRemoved)
    );
    assert_eq!(change.path, format!("{SCHEMA}/properties/mode/enum/1"));
    assert_eq!(change.witness.unwrap()["mode"], "w");
    let (change, strict) =
        only(&schema_edit("/properties/mode/enum", Some(json!(["r", "w", "x"]))));
    assert_eq!((change.kind, change.breaking, strict), (ChangeKind::EnumValueAdded, false, true));
    let (change, strict) = only(&schema_edit("/properties/mode/enum", Some(json!(["w", "r"]))));
    assert_eq!((change.rule, change.breaking, strict), (Rule::InputEquivalent, false, true));
}

#[test]
fn a_more_sensitive_scope_is_breaking() {
    let (change, strict) = only(&edited("/permission_scopes/0/sensitivity", Some(json!("high"))));
    assert_eq!((change.rule, change.breaking, strict), (Rule::SensitivityRaised, true, true));
    let (change, strict) = only(&edited("/permission_scopes/0/sensitivity", Some(json!("low"))));
    assert_eq!((change.rule, change.breaking, strict), (Rule::SensitivityLowered, false, false));
}

#[test]
fn a_tool_that_moves_to_a_more_sensitive_scope_is_breaking() {
    let mut old = manifest();
    edit(&mut old, "/permission_scopes/-", Some(scope("shell:exec", "high")));
    let mut new = old.clone();
    edit(&mut new, "/tools/0/permission_scope", Some(json!("shell:exec")));
    let (change, _) = only_between(&old, &new);
    assert_eq!((change.rule, change.breaking), (Rule::SensitivityRaised, true));
    assert_eq!(
        between(&old, &new, RuleSet::Canonical).scopes_requiring_reauth,
        ["shell:exec".to_owned()].into()
    );
    let (change, _) = only_between(&new, &old);
    assert_eq!((change.rule, change.breaking), (Rule::SensitivityLowered, false));
}

#[test]
fn a_new_scope_is_breaking_and_a_removed_one_only_by_the_strict_rules() {
    let new = edited("/permission_scopes/-", Some(scope("camera:use", "low")));
    let (change, strict) = only(&new);
    assert_eq!((change.kind, change.breaking, strict), (ChangeKind::ScopeAdded, true, true));
    assert_eq!(
        between(&manifest(), &new, RuleSet::Canonical).scopes_requiring_reauth,
        ["camera:use".to_owned()].into()
    );
    let (change, strict) = only_between(&new, &manifest());
    assert_eq!((change.kind, change.breaking, strict), (ChangeKind::ScopeRemoved, false, true));
    assert_eq!(change.path, "/permission_scopes/1");
}

#[test]
fn a_new_tool_is_not_breaking_and_a_removed_one_only_by_the_strict_rules() {
    let mut other = tool("list_files");
    other["input_schema"] = json!({"type": "object", "additionalProperties": false});
    let new = edited("/tools/-", Some(other));
    let (change, strict) = only(&new);
    assert_eq!((change.kind, change.breaking, strict), (ChangeKind::ToolAdded, false, false));
    let (change, strict) = only_between(&new, &manifest());
    assert_eq!((change.kind, change.breaking, strict), (ChangeKind::ToolRemoved, false, true));
    assert_eq!(change.path, "/tools/1");
}

#[test]
fn flags_matter_only_when_withdrawn_and_only_by_the_strict_rules() {
    let (change, strict) =
        only(&edited("/capability_flags/supports_streaming", Some(json!(false))));
    assert_eq!((change.rule, change.breaking, strict), (Rule::FlagWithdrawn, false, true));
    let (change, strict) = only(&edited("/capability_flags/supports_voice", Some(json!(true))));
    assert_eq!((change.rule, change.breaking, strict), (Rule::FlagAnnounced, false, false));
}

#[test]
fn texts_versions_and_timeouts_are_never_breaking() {
    for (pointer, value, rule) in [
        ("/agent_version", json!("2.0.0"), Rule::AgentVersionChanged),
        ("/tools/0/description_i18n_key", json!("other"), Rule::ToolTextChanged),
        ("/tools/0/timeout_ms", json!(1), Rule::ToolTimeoutChanged),
        ("/tools/0/required", json!(true), Rule::ToolRequiredChanged),
        ("/permission_scopes/0/label_i18n_key", json!("other"), Rule::ScopeTextChanged),
        ("/x_note", json!("other"), Rule::UnknownFieldChanged),
        ("/tools/0/x_note", json!("other"), Rule::UnknownFieldChanged),
    ] {
        let (change, strict) = only(&edited(pointer, Some(value)));
        assert_eq!((change.rule, change.breaking, strict), (rule, false, false), "{pointer}");
        assert_eq!(change.path, pointer);
    }
}

#[test]
fn annotations_of_a_schema_are_breaking_only_by_the_strict_rules() {
    let (change, strict) =
        only(&schema_edit("/properties/path/description", Some(json!("the file"))));
    assert_eq!((change.rule, change.breaking, strict), (Rule::InputAnnotated, false, true));
}

#[test]
fn an_optional_field_of_a_closed_schema_is_not_breaking() {
    let (change, _) = only(&schema_edit("/properties/limit", Some(json!({"type": "integer"}))));
    assert_eq!((change.kind, change.rule), (ChangeKind::PropertyAdded, Rule::InputWidened));
    let (change, _) = only(&schema_edit("/properties/mode", None));
    assert_eq!((change.kind, change.rule), (ChangeKind::PropertyRemoved, Rule::InputNarrowed));
    assert!(change.breaking && change.witness.unwrap().get("mode").is_some());
}

#[test]
fn a_renamed_tool_is_recognised() {
    let mut new = edited("/tools/0/name", Some(json!("open_file")));
    let (change, strict) = only(&new);
    assert_eq!((change.kind, change.breaking, strict), (ChangeKind::ToolRenamed, false, true));
    assert_eq!((change.old, change.new), (Some(json!("read_file")), Some(json!("open_file"))));
    assert_eq!(change.path, "/tools/0/name");
    edit(&mut new, "/tools/0/timeout_ms", Some(json!(7)));
    let kinds: Vec<_> =
        between(&manifest(), &new, RuleSet::Canonical).changes.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [ChangeKind::ToolRenamed, ChangeKind::ToolChanged]);
}

#[test]
fn a_renamed_scope_is_recognised_and_breaking() {
    let mut new = edited("/permission_scopes/0/id", Some(json!("files:read")));
    edit(&mut new, "/tools/0/permission_scope", Some(json!("files:read")));
    let diff = between(&manifest(), &new, RuleSet::Canonical);
    let renamed: Vec<_> =
        diff.changes.iter().filter(|change| change.kind == ChangeKind::ScopeRenamed).collect();
    assert_eq!(renamed.len(), 1, "{:#?}", diff.changes);
    assert!(diff.breaking);
    assert_eq!(diff.scopes_requiring_reauth, ["files:read".to_owned()].into());
}

#[test]
fn a_renamed_field_is_recognised() {
    let mut new = manifest();
    let properties = &mut new["tools"][0]["input_schema"]["properties"];
    let schema = properties.as_object_mut().unwrap().remove("mode").unwrap();
    properties["access"] = schema;
    let (change, _) = only(&new);
    assert_eq!((change.kind, change.rule), (ChangeKind::PropertyRenamed, Rule::InputNarrowed));
    assert_eq!((change.old, change.new), (Some(json!("mode")), Some(json!("access"))));
    assert!(change.witness.unwrap().get("mode").is_some());
}

#[test]
fn another_order_of_tools_is_reported_and_harmless() {
    let mut old = manifest();
    let mut other = tool("list_files");
    other["input_schema"] = json!({"type": "object", "additionalProperties": false});
    edit(&mut old, "/tools/-", Some(other));
    let mut new = old.clone();
    new["tools"].as_array_mut().unwrap().reverse();
    let (change, strict) = only_between(&old, &new);
    assert_eq!((change.kind, change.breaking, strict), (ChangeKind::OrderChanged, false, false));
}

/// Neither edit alone loses an input; both together do.
#[test]
fn edits_that_break_only_together_are_found() {
    let with = |any_of: Value| schema_edit("/properties/path", Some(json!({"anyOf": any_of})));
    let old = with(json!([{"maxLength": 3}, {"pattern": "^a"}]));
    let new = with(json!([{"maxLength": 3, "minLength": 1}, {"pattern": "^ab"}]));
    let diff = between(&old, &new, RuleSet::Canonical);
    assert!(diff.breaking);
    assert!(diff.breaking_changes.iter().all(|change| change.witness.is_some()), "{:#?}", diff);
}

#[test]
fn a_refactoring_into_definitions_is_not_breaking() {
    let mut new = manifest();
    new["tools"][0]["input_schema"]["properties"]["path"] = json!({"$ref": "#/$defs/path"});
    new["tools"][0]["input_schema"]["$defs"] =
        json!({"path": {"type": "string", "title": "a path"}});
    let diff = between(&manifest(), &new, RuleSet::Canonical);
    assert!(!diff.breaking, "{:#?}", diff.breaking_changes);
}

#[test]
fn a_tightened_constraint_deep_inside_is_found_with_a_witness() {
    let with = |limit: u32| {
        schema_edit(
            "/properties/path",
            Some(
                json!({"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer", "maximum": limit}}}}),
            ),
        )
    };
    let (change, _) = only_between(&with(9), &with(5));
    assert_eq!(change.path, format!("{SCHEMA}/properties/path/items/properties/n/maximum"));
    assert_eq!(change.witness, Some(json!({"path": [{"n": 6}]})));
}

#[test]
fn an_empty_map_that_comes_or_goes_is_reported() {
    let mut new = manifest();
    new["tools"][0]["input_schema"]["properties"]["path"]["properties"] = json!({});
    let (change, strict) = only(&new);
    assert_eq!((change.rule, change.breaking, strict), (Rule::InputEquivalent, false, true));
    let (change, _) = only_between(&new, &manifest());
    assert_eq!(change.kind, ChangeKind::KeywordRemoved);
}

#[test]
fn a_field_that_is_called_like_a_keyword_is_only_a_field() {
    let with = |schema: Value| schema_edit("/properties/additionalProperties", Some(schema));
    let (change, _) = only_between(&with(json!(true)), &with(json!(false)));
    assert_eq!((change.rule, change.breaking), (Rule::InputNarrowed, true));
}

#[test]
fn a_loss_that_another_edit_makes_up_for_is_not_breaking() {
    let with = |schema: Value| schema_edit("/properties/path", Some(schema));
    let old = with(json!({"anyOf": [{"maxLength": 3}, {"minLength": 9}]}));
    let new = with(json!({"anyOf": [{"maxLength": 2}, {"maxLength": 3}, {"minLength": 9}]}));
    let diff = between(&old, &new, RuleSet::Canonical);
    assert!(!diff.breaking, "{:#?}", diff.changes);
}
