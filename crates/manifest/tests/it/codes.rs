//! One document for every code, and the place at which it is reported.

use std::collections::BTreeSet;

use assent_manifest::{CheckOptions, Code, Report, RuleSet, check};
use serde_json::{Value, json};

use crate::{edited, manifest, scope, tool};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum As {
    Error,
    Warning,
    ErrorIfStrict,
}

fn checked(text: &str, rules: RuleSet) -> Report {
    check(text.as_bytes(), CheckOptions { rules, ..CheckOptions::default() })
}

fn found(report: &Report) -> Vec<(As, Code, &str)> {
    let errors = report.errors.iter().map(|e| (As::Error, e.code, e.path.as_str()));
    let warnings = report.warnings.iter().map(|e| (As::Warning, e.code, e.path.as_str()));
    errors.chain(warnings).collect()
}

/// The documents, each with the only thing that is to be said about it.
fn cases() -> Vec<(String, As, Code, &'static str)> {
    let with = |pointer: &str, value: Value| edited(pointer, Some(value)).to_string();
    let without = |pointer: &str| edited(pointer, None).to_string();
    let schema = |schema: Value| with("/tools/0/input_schema", schema);
    let padding = |bytes: usize| {
        let mut manifest = manifest();
        manifest["tools"][0]["description_fallback"] = json!("x".repeat(bytes));
        manifest.to_string()
    };
    let mut two_tools = manifest();
    two_tools["tools"] = json!([tool("read_file"), tool("read_file")]);
    let mut two_scopes = manifest();
    two_scopes["permission_scopes"] =
        json!([scope("filesystem:read", "medium"), scope("filesystem:read", "high")]);
    let mut unused = manifest();
    unused["permission_scopes"] =
        json!([scope("filesystem:read", "medium"), scope("camera:use", "high")]);
    let mut unpreset = manifest();
    unpreset["tools"][0]["permission_scope"] = json!("camera:use");
    unpreset["permission_scopes"] = json!([scope("camera:use", "high")]);
    unpreset["permission_scopes"][0].as_object_mut().unwrap().remove("label_fallback");
    let closed = |more: Value| {
        let mut schema = json!({"type": "object", "additionalProperties": false});
        schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        schema
    };
    vec![
        ("{\"a\": }".into(), As::Error, Code::NotJson, "/a"),
        ("\u{feff}{}".into(), As::Error, Code::NotJson, ""),
        ("{\"a\": {\"b\": 1, \"b\": 2}}".into(), As::Error, Code::DuplicateKey, "/a/b"),
        ("{\"a\": 1e999}".into(), As::Error, Code::NotCanonicalizable, "/a"),
        ("[\"\\ud800\"]".into(), As::Error, Code::NotCanonicalizable, "/0"),
        (padding(131_072), As::Error, Code::ManifestTooLarge, ""),
        (padding(65_536), As::Warning, Code::ManifestLarge, ""),
        ("[]".into(), As::Error, Code::WrongType, ""),
        (
            with("/schema_version", json!("2.0")),
            As::Error,
            Code::UnknownSchemaVersion,
            "/schema_version",
        ),
        (without("/schema_version"), As::Error, Code::MissingField, "/schema_version"),
        (without("/agent_version"), As::Error, Code::MissingField, "/agent_version"),
        (without("/tools/0/name"), As::Error, Code::MissingField, "/tools/0/name"),
        (
            with("/tools/0/description_i18n_key", json!("")),
            As::Error,
            Code::MissingField,
            "/tools/0/description_i18n_key",
        ),
        (with("/tools/0/required", json!("yes")), As::Error, Code::WrongType, "/tools/0/required"),
        (
            with("/capability_flags/supports_voice", json!(1)),
            As::Error,
            Code::WrongType,
            "/capability_flags/supports_voice",
        ),
        (with("/agent_version", json!("1.0")), As::Error, Code::BadSemver, "/agent_version"),
        (with("/tools/0/name", json!("Read")), As::Error, Code::BadToolName, "/tools/0/name"),
        (two_tools.to_string(), As::Error, Code::DuplicateTool, "/tools/1/name"),
        (two_scopes.to_string(), As::Error, Code::DuplicateScope, "/permission_scopes/1/id"),
        (
            with("/tools/0/permission_scope", json!("camera:use"))
                .replace("filesystem:read\",\"label", "camera:used\",\"label"),
            As::Error,
            Code::UnknownScope,
            "/tools/0/permission_scope",
        ),
        (
            with("/permission_scopes/0/sensitivity", json!("huge")),
            As::Error,
            Code::BadSensitivity,
            "/permission_scopes/0/sensitivity",
        ),
        (
            schema(closed(json!({"properties": {"a": {"type": "text"}}}))),
            As::Error,
            Code::BadInputSchema,
            "/tools/0/input_schema/properties/a/type",
        ),
        (
            schema(json!({"type": "array", "additionalProperties": false})),
            As::Error,
            Code::BadInputSchema,
            "/tools/0/input_schema/type",
        ),
        (
            schema(json!({"additionalProperties": false})),
            As::Error,
            Code::BadInputSchema,
            "/tools/0/input_schema",
        ),
        (
            schema(closed(json!({"$ref": "https://example.com/x"}))),
            As::Error,
            Code::RemoteRef,
            "/tools/0/input_schema/$ref",
        ),
        (
            schema(closed(json!({"$ref": "#"}))),
            As::Error,
            Code::SchemaTooComplex,
            "/tools/0/input_schema",
        ),
        (
            schema(closed(json!({"properties": {"a": {"pattern": "(?=a)"}}}))),
            As::Error,
            Code::UnsafePattern,
            "/tools/0/input_schema/properties/a/pattern",
        ),
        (
            schema(json!({"type": "object"})),
            As::ErrorIfStrict,
            Code::OpenInputSchema,
            "/tools/0/input_schema",
        ),
        (with("/tools/0/timeout_ms", json!(0)), As::Error, Code::BadTimeout, "/tools/0/timeout_ms"),
        (
            with("/tools/0/timeout_ms", json!(1.5)),
            As::Error,
            Code::BadTimeout,
            "/tools/0/timeout_ms",
        ),
        (
            with("/tools/0/description_fallback", json!("a\u{202e}b")),
            As::Error,
            Code::HiddenCharacters,
            "/tools/0/description_fallback",
        ),
        (
            schema(closed(json!({"properties": {"a": {"enum": ["b\u{200b}"]}}}))),
            As::Error,
            Code::HiddenCharacters,
            "/tools/0/input_schema/properties/a/enum/0",
        ),
        (
            unpreset.to_string(),
            As::ErrorIfStrict,
            Code::MissingFallback,
            "/permission_scopes/0/label_fallback",
        ),
        (unused.to_string(), As::Warning, Code::UnusedScope, "/permission_scopes/1"),
        (with("/tools/0/x_note", json!(1)), As::Warning, Code::UnknownField, "/tools/0/x_note"),
        (with("/extra", json!({})), As::Warning, Code::UnknownField, "/extra"),
    ]
}

#[test]
fn every_code_is_reported_at_its_place_and_nothing_else_is() {
    let mut seen: BTreeSet<Code> = [Code::BadScopeId, Code::ReservedScope].into();
    for (text, level, code, path) in cases() {
        let (canonical, strict) = match level {
            As::ErrorIfStrict => (As::Warning, As::Error),
            level => (level, level),
        };
        let mut expected = vec![(canonical, code, path)];
        if code == Code::UnknownScope {
            // The renamed scope is then unused.
            expected.push((As::Warning, Code::UnusedScope, "/permission_scopes/0"));
        }
        assert_eq!(found(&checked(&text, RuleSet::Canonical)), expected, "{:.200}", text);
        let report = checked(&text, RuleSet::Strict);
        assert!(found(&report).contains(&(strict, code, path)), "{:.200}", text);
        seen.insert(code);
    }
    assert_eq!(seen, Code::ALL.into_iter().collect(), "every code has a case");
}

#[test]
fn the_plain_manifest_is_valid_by_both_rule_sets() {
    for rules in [RuleSet::Canonical, RuleSet::Strict] {
        assert_eq!(found(&checked(&manifest().to_string(), rules)), []);
    }
}

#[test]
fn the_example_of_the_specification_is_valid() {
    let text = include_str!("../../../../examples/manifests/files.json");
    assert!(checked(text, RuleSet::Canonical).is_valid());
}

#[test]
fn scope_ids_have_a_domain_and_an_action() {
    for (id, code) in [
        ("filesystem", Code::BadScopeId),
        ("File:read", Code::BadScopeId),
        ("file:read:all", Code::BadScopeId),
        (":read", Code::BadScopeId),
        ("1file:read", Code::BadScopeId),
        ("system:reboot", Code::ReservedScope),
        ("hashee:admin", Code::ReservedScope),
        ("assent:admin", Code::ReservedScope),
    ] {
        let text = edited("/permission_scopes/0/id", Some(json!(id))).to_string();
        let report = checked(&text, RuleSet::Canonical);
        let errors: Vec<_> = report.errors.iter().map(|e| (e.code, e.path.as_str())).collect();
        assert!(errors.contains(&(code, "/permission_scopes/0/id")), "{id}: {errors:?}");
    }
}

#[test]
fn the_platform_may_use_reserved_scopes() {
    let text = edited("/permission_scopes/0/id", Some(json!("system:reboot"))).to_string();
    let options = CheckOptions { platform_owned: true, ..CheckOptions::default() };
    let report = check(text.replace("filesystem:read", "system:reboot").as_bytes(), options);
    assert!(report.is_valid(), "{:?}", report.errors);
}

#[test]
fn all_problems_are_reported_at_once() {
    let text = json!({"agent_version": 1, "tools": [{"name": "A"}, 7], "permission_scopes": [{}]});
    let report = checked(&text.to_string(), RuleSet::Canonical);
    assert_eq!(report.errors.len(), 10, "{:#?}", report.errors);
}

#[test]
fn the_hash_is_given_even_for_a_bad_manifest_if_it_has_one() {
    let report = checked("{\"b\": 1, \"a\": 2}", RuleSet::Canonical);
    assert!(!report.is_valid());
    assert_eq!(report.hash, Some(assent_json::Digest::of(b"{\"a\":2,\"b\":1}")));
    assert_eq!(checked("{", RuleSet::Canonical).hash, None);
}
