//! Cedar policies: what they see, what they decide, and what is refused at load.

use assent_cedar::{ToolShape, load_policy};
use assent_policy::{Decision, Grants, Mode, Policy, PolicyError, Verdict};
use serde_json::{Value, json};

use crate::support::{Call, grant, rules};

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "count": {"type": "integer"},
            "amount": {"type": "number"},
            "force": {"type": "boolean"},
            "note": {"type": ["string", "null"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "to": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
            "kind": {"enum": ["a", "b"]},
            "mixed": {"type": ["string", "integer"]},
            "any": {},
            "list": {"type": "array"},
            "tuple": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "string"}}
        },
        "required": ["path", "note", "mixed"]
    })
}

fn load(text: &str) -> Result<Policy, Vec<String>> {
    let schema = schema();
    let tools = ["ns/t", "ns/u"].map(|tool_id| ToolShape {
        tool_id,
        namespace: "ns",
        name: "t",
        input_schema: Some(&schema),
    });
    load_policy(&[], text, tools).map_err(|error| error.lines().collect())
}

fn decide(text: &str, input: Value) -> Verdict {
    let call =
        Call { actor: Some("agent".to_owned()), session: Some("s".to_owned()), ..Call::new(input) };
    call.verdict(&load(text).unwrap())
}

/// Whether a `forbid` with this condition is satisfied.
fn forbids(condition: &str, input: Value) -> bool {
    let text = format!("forbid(principal, action, resource) when {{ {condition} }};");
    let verdict = decide(&text, input);
    assert_eq!(verdict.errors, [], "{condition}");
    verdict.decision == Decision::Deny
}

#[test]
fn every_kind_of_argument_can_be_spoken_of() {
    let input = json!({
        "path": "/work/a", "count": 3, "amount": 99.5, "force": true, "note": null, "tags": ["x", "y", "x"],
        "to": {"name": "bank", "extra": 1}, "kind": "a", "mixed": 1, "any": [1], "list": [null, 1.5]
    });
    for condition in [
        r#"context.input.path like "/work/*""#,
        "context.input has count && context.input.count > 2",
        r#"context.input has amount && context.input.amount.lessThan(decimal("100.0"))"#,
        "context.input has force && context.input.force",
        "!(context.input has note)",
        r#"context.input has tags && context.input.tags == ["y", "x"]"#,
        r#"context.input has tags && context.input.tags.contains("x")"#,
        r#"context.input has to && context.input.to.name == "bank""#,
        r#"context.input has kind && context.input.kind == "a""#,
        "!context.read_only && context.destructive && context.open_world",
        r#"context.mode == "interactive" && context.now == 1000"#,
        r#"context has session && context.session == "s" && !(context has operation)"#,
        r#"principal == Agent::"agent""#,
        r#"action == Action::"ns/t" && resource == Tool::"ns/t""#,
        r#"resource in Namespace::"ns" && resource.name == "t" && resource.namespace == "ns""#,
    ] {
        assert!(forbids(condition, input.clone()), "{condition}");
    }
    assert!(forbids(
        r#"context.input has note && context.input.note == "n""#,
        json!({"path": "", "note": "n"})
    ));
}

#[test]
fn permit_allows_forbid_denies_and_either_can_ask() {
    let input = json!({"path": "/a"});
    let all = "(principal, action, resource);";
    for (text, expected, line) in [
        (format!("@id(\"p\") permit{all}"), Decision::Allow, "policy `p` allows"),
        (
            format!("@id(\"f\") @source(\"policy_settings\") forbid{all}"),
            Decision::Deny,
            "policy `f` denies (policy_settings)",
        ),
        (format!("@id(\"a\") @effect(\"ask\") permit{all}"), Decision::Ask, "policy `a` asks"),
        (format!("@id(\"a\") @effect(\"ask\") forbid{all}"), Decision::Ask, "policy `a` asks"),
        (format!("permit{all}"), Decision::Allow, "policy `policy0` allows"),
    ] {
        let verdict = decide(&text, input.clone());
        assert_eq!(verdict.decision, expected, "{text}");
        assert_eq!(verdict.decisive().unwrap().to_string(), line);
    }
    // Every policy that is satisfied is heard, not only the strictest.
    let verdict = decide(
        &format!(
            "@id(\"p\") permit{all} @id(\"a\") @effect(\"ask\") permit{all} @id(\"f\") forbid{all}"
        ),
        input,
    );
    let lines: Vec<String> = verdict.explain().collect();
    assert_eq!(lines, ["policy `f` denies", "policy `a` asks", "policy `p` allows"]);
}

#[test]
fn a_call_that_no_policy_speaks_of_is_decided_as_without_policies() {
    let text = r#"permit(principal, action == Action::"ns/u", resource);"#;
    assert_eq!(decide(text, json!({"path": ""})).decision, Decision::Ask);
    let call = Call::new(json!({"path": ""})).read_only();
    assert_eq!(call.decision(&load(text).unwrap()), Decision::Allow);
}

#[test]
fn a_policy_that_names_tools_is_heard_for_these_only() {
    let text = r#"@id("u") forbid(principal, action == Action::"ns/u", resource);
        @id("both") @effect("ask") permit(principal, action in [Action::"ns/t", Action::"ns/u", Action::"ns/t"], resource);"#;
    let policy = load(text).unwrap();
    let explain = |tool_id: &str| {
        let call = Call { tool_id: tool_id.to_owned(), ..Call::new(json!({"path": ""})) };
        call.verdict(&policy).explain().collect::<Vec<_>>()
    };
    assert_eq!(explain("ns/t"), ["policy `both` asks"]);
    assert_eq!(explain("ns/u"), ["policy `u` denies", "policy `both` asks"]);
    // No policy speaks of the tool, so it does not matter what they would make of the input.
    let silent = load(r#"permit(principal, action == Action::"ns/u", resource);"#).unwrap();
    assert!(Call::new(json!({})).verdict(&silent).errors.is_empty());
}

#[test]
fn an_input_that_cannot_be_shown_is_asked_about() {
    let text = "permit(principal, action, resource);";
    for (input, place) in [
        (json!({}), "/path"),
        (json!({"path": null}), "/path"),
        (json!({"path": 1}), "/path"),
        (json!({"path": "", "count": 1.5}), "/count"),
        (json!({"path": "", "count": 1e30}), "/count"),
        (json!({"path": "", "amount": 0.00001}), "/amount"),
        (json!({"path": "", "amount": 1e21}), "/amount"),
        (json!({"path": "", "amount": 1e18}), "/amount"),
        (json!({"path": "", "tags": ["a", null]}), "/tags/1"),
        (json!({"path": "", "tags": "a"}), "/tags"),
        (json!({"path": "", "to": {}}), "/to/name"),
        (json!({"path": "", "to": "bank"}), "/to"),
        (json!([]), "/path"),
    ] {
        let verdict = decide(text, input.clone());
        assert_eq!(verdict.decision, Decision::Ask, "{input}");
        assert_eq!(verdict.errors, [PolicyError::Input(place.to_owned())], "{input}");
    }
    for amount in [json!(-0.5), json!(0), json!(-7), json!(922337203685476_i64), json!(0.1234)] {
        assert_eq!(
            decide(text, json!({"path": "", "amount": amount})).decision,
            Decision::Allow,
            "{amount}"
        );
    }
}

#[test]
fn an_argument_cannot_pose_as_an_entity_or_a_function() {
    let schema = json!({"properties": {"who": {"type": "object", "properties": {
        "__entity": {"type": "object", "properties": {"type": {"type": "string"}, "id": {"type": "string"}}},
        "__extn": {"type": "string"}}}}});
    let shape =
        ToolShape { tool_id: "ns/t", namespace: "ns", name: "t", input_schema: Some(&schema) };
    let text = r#"permit(principal, action, resource) when { context.input has who };"#;
    // Either the schema is refused or the value stays a record; it never becomes an entity.
    if let Ok(policy) = load_policy(&[], text, [shape]) {
        let call = Call::new(json!({"who": {"__entity": {"type": "Agent", "id": "root"}}}));
        assert_eq!(call.decision(&policy), Decision::Allow);
    }
}

#[test]
fn a_tool_that_was_not_there_at_load_is_asked_about() {
    let policy = load("permit(principal, action, resource);").unwrap();
    let call = Call { tool_id: "new/tool".to_owned(), ..Call::new(json!({})) };
    let verdict = call.verdict(&policy);
    assert_eq!((verdict.decision, verdict.errors), (Decision::Ask, vec![PolicyError::UnknownTool]));
}

#[test]
fn an_error_is_settled_by_a_person_only() {
    let text = r#"@id("f") forbid(principal, action, resource)
        when { context.input has count && context.input.count * 9223372036854775807 > 0 };"#;
    let call = Call::new(json!({"path": "", "count": 5}));
    let policy = load(text).unwrap();
    let verdict = call.verdict(&policy);
    assert_eq!(verdict.errors, [PolicyError::Policy("f".parse().unwrap())]);
    assert_eq!(verdict.decision, Decision::Ask);
    assert_eq!(
        verdict.explain().collect::<Vec<_>>(),
        [
            "asks: policy `f` could not be evaluated, and what cannot be judged is not allowed unasked"
        ]
    );
    let given = grant(json!({"id": "g", "effect": "allow", "tool": {"id": "ns/t"}}));
    let verdict = policy.decide(&call.question(), &Grants::none().with(given));
    assert_eq!(verdict.decision, Decision::Allow);
}

/// A decision names the policy with the id that its author gave it, whatever other opinions there are and in
/// every mode.
#[test]
fn a_policy_that_could_not_be_evaluated_is_named_by_its_id_in_the_reasons() {
    let overflow =
        "when { context.input has count && context.input.count * 9223372036854775807 > 0 }";
    let text = format!(
        "@id(\"never-too-much\") forbid(principal, action, resource) {overflow};
         @id(\"all\") permit(principal, action, resource);
         @id(\"look\") @effect(\"ask\") @source(\"policy_settings\") permit(principal, action, resource);
         permit(principal, action, resource) {overflow};"
    );
    let policy = load(&text).unwrap();
    let call = Call::new(json!({"path": "", "count": 5}));
    let verdict = call.verdict(&policy);
    let named = |verdict: &Verdict| -> Vec<(Option<String>, Option<PolicyError>)> {
        let of_errors = verdict.reasons.iter().filter(|reason| reason.error.is_some());
        of_errors
            .map(|reason| (reason.rule.as_ref().map(ToString::to_string), reason.error.clone()))
            .collect()
    };
    let failed = ["never-too-much", "policy3"]
        .map(|id| (Some(id.to_owned()), Some(PolicyError::Policy(id.parse().unwrap()))));
    assert_eq!(verdict.decision, Decision::Ask);
    assert_eq!(named(&verdict), failed);
    assert_eq!(verdict.decisive().unwrap().error, failed[0].1);
    assert_eq!(
        verdict.explain().collect::<Vec<_>>(),
        [
            "asks: policy `never-too-much` could not be evaluated, and what cannot be judged is not allowed unasked",
            "asks: policy `policy3` could not be evaluated, and what cannot be judged is not allowed unasked",
            "policy `look` asks (policy_settings)",
            "policy `all` allows",
        ]
    );
    let alone = Call { mode: Mode::Headless, ..call };
    let verdict = alone.verdict(&policy);
    assert_eq!(verdict.decision, Decision::Deny);
    assert_eq!(named(&verdict), failed);
    assert_eq!(
        verdict.decisive().unwrap().to_string(),
        "denies: no person can be asked, and policy `never-too-much` could not be evaluated, \
         policy `policy3` could not be evaluated"
    );
}

#[test]
fn immune_questions_can_be_written_as_policies() {
    let policy =
        load(r#"@effect("ask") @bypass_immune forbid(principal, action, resource);"#).unwrap();
    let call = Call::new(json!({"path": ""}));
    let given = grant(json!({"id": "g", "effect": "allow", "tool": {"id": "ns/t"}}));
    let verdict = policy.decide(&call.question(), &Grants::none().with(given));
    assert_eq!(verdict.decision, Decision::Ask);
}

#[test]
fn every_mistake_is_reported_with_its_place() {
    for (text, expected) in [
        ("permit(principal, action, resource)", "policies, line 1, column"),
        ("\n  permit(principal, action, resource) when { 1 + };", "policies, line 2, column"),
        ("permit(principal == ?principal, action, resource);", "templates are not supported"),
        ("@effect(\"deny\") permit(principal, action, resource);", "`@effect` can only be \"ask\""),
        ("@source(\"x\") permit(principal, action, resource);", "`@source` is one of the sources"),
        ("@id(\"a b\") permit(principal, action, resource);", "rule id"),
        (
            "@bypass_immune permit(principal, action, resource);",
            "`bypass_immune` belongs to an `ask`",
        ),
        (
            "@id(\"x\") permit(principal, action, resource); @id(\"x\") forbid(principal, action, resource);",
            "the id is taken",
        ),
        ("permit(principal, action == Action::\"ns/x\", resource);", "ns/x"),
        ("permit(principal, action, resource) when { context.input.mixed == 1 };", "mixed"),
        ("permit(principal, action, resource) when { context.input.any == 1 };", "any"),
        (
            "permit(principal, action, resource) when { context.input has list && context.input.list == 1 };",
            "policies",
        ),
        ("permit(principal, action, resource) when { context.input.note == \"\" };", "note"),
        ("permit(principal, action, resource) when { context.input.path == 1 };", "policies"),
        ("permit(principal, action, resource) when { principal.name == \"x\" };", "name"),
        ("permit(principal is User, action, resource);", "User"),
        ("forbid(principal, action, resource) when { context.input has nothing };", "policies"),
    ] {
        let problems = load(text).unwrap_err();
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{text}: {problems:?}");
    }
}

#[test]
fn all_mistakes_of_a_text_are_reported_together_with_those_of_the_rules() {
    let text = "@id(\"one\") permit(principal, action == Action::\"x\", resource);\n\
        @id(\"two\") forbid(principal, action, resource)\n  when { context.input.path == 1 };";
    let schema = schema();
    let shape =
        ToolShape { tool_id: "ns/t", namespace: "ns", name: "t", input_schema: Some(&schema) };
    let specs = rules(json!([{"id": "two", "behavior": "deny", "tool": ""}]));
    let shown: Vec<String> = load_policy(&specs, text, [shape]).unwrap_err().lines().collect();
    let has = |beginning: &str| shown.iter().any(|problem| problem.starts_with(beginning));
    assert!(has("/rules/0/tool (`two`)"), "{shown:#?}");
    assert!(has("policies, line 1, column"), "{shown:#?}");
    assert!(has("policies, line 3, column"), "{shown:#?}");
    assert!(has("policies, line 2, column 1 (`two`): the id is taken"), "{shown:#?}");
}

#[test]
fn texts_beyond_the_bounds_are_refused_before_they_are_read() {
    let deep = |depth: usize| {
        format!(
            "permit(principal, action, resource) when {{ {}true{} }};",
            "(".repeat(depth),
            ")".repeat(depth)
        )
    };
    assert!(load(&deep(60)).is_ok());
    assert!(load(&deep(100)).unwrap_err()[0].contains("nest at most 64"));
    let chained = |steps: usize| {
        format!(
            "permit(principal, action, resource) when {{ context{} == 1 }};",
            ".a".repeat(steps)
        )
    };
    // Deeper ones than these would not be checked by Cedar at all.
    assert!(load(&chained(400)).unwrap_err()[0].contains("attribute `a`"));
    assert!(load(&chained(401)).unwrap_err()[0].contains("at most 400 operators"));
    let nested = |steps: usize| {
        let branches = "if true then true else ".repeat(steps);
        format!("permit(principal, action, resource) when {{ {branches} true }};")
    };
    assert!(load(&nested(400)).is_ok());
    assert!(load(&nested(401)).is_err());
    // What stands in strings and comments does not count, and each policy counts for itself.
    let harmless = format!(
        "// {0}\npermit(principal, action, resource) when {{ context.input.path like \"{0}\\\"\" }};",
        "(.&".repeat(500)
    );
    assert!(load(&harmless).is_ok());
    assert!(load(&"forbid(principal, action, resource) when { 1 + 1 == 2 };".repeat(500)).is_ok());
    let long = format!("// {}", "x".repeat(1 << 20));
    assert!(load(&long).unwrap_err()[0].contains("at most 1048576 bytes"));
}

#[test]
fn hostile_texts_neither_crash_nor_hang() {
    for clause in [
        "true && ".repeat(20_000) + "true",
        "1 + ".repeat(20_000) + "1 == 1",
        "if true then true else ".repeat(5_000) + "true",
        "!".repeat(10_000) + "true",
        "-".repeat(10_000) + "1 == 1",
        "true || ".repeat(20_000) + "true",
        format!("[{}] == []", "1,".repeat(20_000)),
    ] {
        let text = format!("permit(principal, action, resource) when {{ {clause} }};");
        if let Ok(policy) = load(&text) {
            let _ = Call::new(json!({"path": ""})).verdict(&policy);
        }
    }
}

#[test]
fn no_policies_at_all_need_no_tools() {
    for text in ["", " \n"] {
        let policy = load_policy(&[], text, []).unwrap();
        assert_eq!(Call::new(json!({})).verdict(&policy).errors, []);
    }
}
