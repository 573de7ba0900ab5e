//! Grants: what they cover, how they end, and that handing on only takes away.

use assent_ids::UnixMillis;
use assent_json::{Digest, Pointer};
use assent_policy::{
    ArgumentShape, Decision, Grant, GrantEffect, GrantKey, GrantSpec, GrantTool, Grants, Mode,
    Policy, Restriction,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Call, grant, policy};

fn key(text: &str) -> GrantKey {
    text.parse().unwrap()
}

fn allow(mut spec: Value) -> Grant {
    for (key, value) in
        [("id", json!("g")), ("effect", json!("allow")), ("tool", json!({"id": "ns/t"}))]
    {
        if spec[key].is_null() {
            spec[key] = value;
        }
    }
    grant(spec)
}

fn decide(call: &Call, grants: &Grants) -> Decision {
    Policy::default().decide(&call.question(), grants).decision
}

#[test]
fn a_remembered_answer_covers_the_same_call_and_no_other() {
    let call = Call {
        actor: Some("a".to_owned()),
        session: Some("s".to_owned()),
        ..Call::new(json!({"x": 1, "y": "z"}))
    };
    let spec = GrantSpec::remember(key("g"), GrantEffect::Allow, &call.question());
    let grants = Grants::none().with(Grant::load(spec).unwrap());
    assert_eq!(decide(&call, &grants), Decision::Allow);
    let same =
        Call { input: assent_json::Json::read(r#"{"y":"z","x":1.0}"#).unwrap(), ..call.clone() };
    assert_eq!(decide(&same, &grants), Decision::Allow);
    for other in [
        Call { tool_id: "ns/u".to_owned(), ..call.clone() },
        Call { definition: Digest::of(b"changed"), ..call.clone() },
        Call { actor: None, ..call.clone() },
        Call { actor: Some("b".to_owned()), ..call.clone() },
        Call { session: Some("t".to_owned()), ..call.clone() },
        Call { session: None, ..call.clone() },
        Call { input: Call::new(json!({"x": 2, "y": "z"})).input, ..call },
    ] {
        assert_eq!(decide(&other, &grants), Decision::Ask, "{other:?}");
    }
}

#[test]
fn a_grant_for_calls_without_an_actor_does_not_cover_an_actor() {
    let call = Call { actor: None, session: None, ..Call::new(json!({"x": 1})) };
    let spec = GrantSpec::remember(key("g"), GrantEffect::Allow, &call.question());
    let grants = Grants::none().with(Grant::load(spec).unwrap());
    assert_eq!(decide(&call, &grants), Decision::Allow);
    for other in [
        Call { actor: Some("a".to_owned()), ..call.clone() },
        Call { session: Some("s".to_owned()), ..call },
    ] {
        assert_eq!(decide(&other, &grants), Decision::Ask, "{other:?}");
    }
}

/// Item 89.
#[test]
fn a_grant_begins_and_ends_at_absolute_times() {
    let grants = Grants::none().with(allow(json!({"not_before": 100, "not_after": 200})));
    for (now, expected) in
        [(99, Decision::Ask), (100, Decision::Allow), (199, Decision::Allow), (200, Decision::Ask)]
    {
        let call = Call { now: UnixMillis::new(now), ..Call::new(json!({})) };
        assert_eq!(decide(&call, &grants), expected, "{now}");
    }
}

#[test]
fn a_grant_is_used_up() {
    let call = Call::new(json!({}));
    let mut grants = Grants::none().with(allow(json!({"uses": 2})));
    for _ in 0..2 {
        let verdict = Policy::default().decide(&call.question(), &grants);
        assert_eq!(verdict.decision, Decision::Allow);
        grants = grants.spend(&verdict.grant.unwrap()).unwrap();
    }
    assert_eq!(decide(&call, &grants), Decision::Ask);
    assert!(grants.spend(&key("g")).is_none());
    assert!(grants.spend(&key("unknown")).is_none());
    assert_eq!(grants.get(&key("g")).unwrap().1, 2);
    assert_eq!(decide(&call, &Grants::none().with(allow(json!({"uses": 0})))), Decision::Ask);
}

#[test]
fn the_cheapest_grant_is_used() {
    let call = Call::new(json!({}));
    let grants = Grants::new(
        [
            json!({"id": "a", "uses": 1}),
            json!({"id": "b"}),
            json!({"id": "c", "not_after": 5000}),
            json!({"id": "d", "not_after": 4000}),
        ]
        .map(|spec| (allow(spec), 0)),
    );
    let used = |grants: &Grants| Policy::default().decide(&call.question(), grants).grant;
    let mut grants = grants;
    for expected in ["d", "c", "b", "a"] {
        assert_eq!(used(&grants), Some(key(expected)));
        grants = grants.without(&key(expected));
    }
    assert_eq!(used(&grants), None);
    assert!(grants.is_empty());
}

#[test]
fn a_denial_in_advance_beats_everything_and_doubt_widens_it() {
    let denial = |conditions: Value| {
        grant(json!({"id": "no", "effect": "deny", "tool": {"glob": "ns/*"}, "actor": "a",
            "arguments": {"conditions": conditions}}))
    };
    let grants = Grants::none()
        .with(allow(json!({})))
        .with(denial(json!([{"path": "/path", "under": "/etc"}])));
    let policy = policy(json!([{"id": "r", "behavior": "allow"}]));
    let decide = |input: Value, actor: Option<&str>| {
        let call = Call { actor: actor.map(str::to_owned), ..Call::new(input) };
        policy.decide(&call.question(), &grants).decision
    };
    assert_eq!(decide(json!({"path": "/etc/passwd"}), Some("a")), Decision::Deny);
    assert_eq!(decide(json!({"path": 7}), Some("a")), Decision::Deny);
    assert_eq!(decide(json!({"path": "/etc"}), None), Decision::Deny);
    assert_eq!(decide(json!({"path": "/work"}), Some("a")), Decision::Allow);
    assert_eq!(decide(json!({"path": "/etc"}), Some("b")), Decision::Allow);
}

#[test]
fn grants_settle_questions_also_in_headless_mode_but_not_immune_ones() {
    let grants = Grants::none().with(allow(json!({})));
    let headless = Call { mode: Mode::Headless, ..Call::new(json!({})) };
    assert_eq!(decide(&headless, &grants), Decision::Allow);
    let immune = policy(json!([{"id": "r", "behavior": "ask", "bypass_immune": true}]));
    assert_eq!(immune.decide(&headless.question(), &grants).decision, Decision::Deny);
    let read_only = Call { mode: Mode::ReadOnly, ..Call::new(json!({})) };
    assert_eq!(decide(&read_only, &grants), Decision::Deny);
}

#[test]
fn arguments_of_the_same_shape_are_covered_with_some_values_pinned() {
    let like = Call::new(json!({"to": "bank", "amount": 5, "tags": ["a"]}));
    let shape = ArgumentShape::like(like.question().input, &[Pointer::root().key("to")]);
    let spec = GrantSpec {
        arguments: shape,
        ..GrantSpec::new(key("g"), GrantEffect::Allow, GrantTool::Id("ns/t".to_owned()))
    };
    let grants = Grants::none().with(Grant::load(spec).unwrap());
    for (input, expected) in [
        (json!({"to": "bank", "amount": 7, "tags": ["b", "c"]}), Decision::Allow),
        (json!({"to": "thief", "amount": 5, "tags": ["a"]}), Decision::Ask),
        (json!({"to": "bank", "amount": "5", "tags": ["a"]}), Decision::Ask),
        (json!({"to": "bank", "amount": 5, "tags": ["a"], "urgent": true}), Decision::Ask),
        (json!({"to": "bank", "amount": 5}), Decision::Ask),
    ] {
        assert_eq!(decide(&Call::new(input.clone()), &grants), expected, "{input}");
    }
}

#[test]
fn handing_on_spends_the_whole_chain_and_revoking_ends_it() {
    let call = Call::new(json!({}));
    let parent = allow(json!({"id": "parent", "uses": 2}));
    let child = parent.narrow(Restriction::new(key("child"))).unwrap();
    let grandchild =
        child.narrow(Restriction { uses: Some(9), ..Restriction::new(key("grandchild")) });
    let grandchild = grandchild.unwrap();
    assert_eq!(grandchild.uses(), Some(2));
    assert_eq!(grandchild.ancestors().collect::<Vec<_>>(), [&key("child"), &key("parent")]);
    let grants = Grants::new([parent, child, grandchild].map(|grant| (grant, 0)));
    let spent = grants.spend(&key("grandchild")).unwrap();
    assert_eq!(spent.get(&key("parent")).unwrap().1, 1);
    let spent = spent.spend(&key("parent")).unwrap();
    assert!(spent.spend(&key("child")).is_none());
    assert_eq!(decide(&call, &spent), Decision::Ask);
    let revoked = grants.without(&key("child"));
    assert_eq!(revoked.iter().map(|(grant, _)| grant.id()).collect::<Vec<_>>(), [&key("parent")]);
    assert_eq!(grants.len(), 3);
}

#[test]
fn what_is_wrong_with_a_grant_is_said() {
    let load = |spec: Value| Grant::load(serde_json::from_value(spec).unwrap());
    let problems = load(json!({"id": "g", "effect": "deny", "tool": {"glob": ""},
        "arguments": {"conditions": [{"path": "x", "equals": 1}]},
        "restrictions": [{"id": "h", "tool": {"glob": "\\"}}]}))
    .unwrap_err();
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 4);
    assert_eq!(problems[0], "grant/restrictions (`g`): a denial cannot be narrowed");
    assert!(problems[1].starts_with("grant/tool/glob (`g`): a pattern must not be empty"));
    assert!(problems[2].starts_with("grant/arguments/0/path (`g`): a path is a JSON Pointer"));
    assert!(
        problems[3].starts_with("grant/restrictions/0/tool/glob (`g`): a pattern must not end")
    );
    let mut chain = allow(json!({}));
    for _ in 0..64 {
        chain = chain.narrow(Restriction::new(key("next"))).unwrap();
    }
    assert!(chain.narrow(Restriction::new(key("next"))).is_err());
    assert!("".parse::<GrantKey>().is_err());
    assert!("a b".parse::<GrantKey>().is_err());
}

#[test]
fn a_grant_survives_being_stored() {
    let call = Call { session: Some("s".to_owned()), ..Call::new(json!({"a": 1})) };
    let shape = ArgumentShape::like(call.question().input, &[Pointer::root().key("a")]);
    let mut spec = GrantSpec::remember(key("g"), GrantEffect::Allow, &call.question());
    for arguments in [
        shape,
        ArgumentShape::Any,
        ArgumentShape::exact(call.question().input),
        ArgumentShape::Conditions(vec![]),
    ] {
        spec.arguments = arguments;
        let parent = Grant::load(spec.clone()).unwrap();
        let child = parent
            .narrow(Restriction {
                not_after: Some(UnixMillis::new(5)),
                ..Restriction::new(key("h"))
            })
            .unwrap();
        let text = serde_json::to_string(child.spec()).unwrap();
        assert_eq!(&serde_json::from_str::<GrantSpec>(&text).unwrap(), child.spec());
    }
}

fn some<T: std::fmt::Debug + Clone + 'static>(values: Vec<T>) -> impl Strategy<Value = Option<T>> {
    prop::option::of(prop::sample::select(values))
}

fn shapes() -> impl Strategy<Value = ArgumentShape> {
    let conditions = vec![
        json!([{"path": "/path", "under": "/work"}]),
        json!([{"path": "/path", "under": "/work/a"}]),
        json!([{"path": "/path", "matches": "a"}, {"path": "/n", "above": 1}]),
        json!([{"path": "/n", "below": 3}]),
        json!([{"path": "/n", "absent": true}]),
    ];
    let conditions = prop::sample::select(conditions)
        .prop_map(|specs| ArgumentShape::Conditions(serde_json::from_value(specs).unwrap()));
    let exact = inputs().prop_map(|input| ArgumentShape::exact(Call::new(input).question().input));
    let like = inputs().prop_map(|input| {
        ArgumentShape::like(Call::new(input).question().input, &[Pointer::root().key("n")])
    });
    prop_oneof![Just(ArgumentShape::Any), conditions, exact, like]
}

fn inputs() -> impl Strategy<Value = Value> {
    let path = some(vec![
        json!("/work/a"),
        json!("/work/b"),
        json!("/etc"),
        json!("/work/../etc"),
        json!(7),
    ]);
    let number = some(vec![json!(0), json!(1), json!(2), json!(5), json!("x")]);
    (path, number).prop_map(|(path, n)| {
        let mut input = json!({});
        if let Some(path) = path {
            input["path"] = path;
        }
        if let Some(n) = n {
            input["n"] = n;
        }
        input
    })
}

fn restrictions() -> impl Strategy<Value = Restriction> {
    let tools = vec![
        GrantTool::Id("ns/t".to_owned()),
        GrantTool::Id("ns/u".to_owned()),
        GrantTool::Glob("ns/*".to_owned()),
        GrantTool::Glob("*".to_owned()),
    ];
    let texts = || some(vec!["a".to_owned(), "b".to_owned()]);
    let times = || some(vec![UnixMillis::new(5), UnixMillis::new(10), UnixMillis::new(15)]);
    let definitions = some(vec![Digest::of(b"definition"), Digest::of(b"other")]);
    let uses = prop::option::of(0..4_u32);
    let rest = (texts(), texts(), times(), times(), uses);
    (some(tools), definitions, shapes(), rest).prop_map(|(tool, definition, arguments, rest)| {
        let (actor, session, not_before, not_after, uses) = rest;
        let id = key("child");
        Restriction { id, tool, definition, arguments, actor, session, not_before, not_after, uses }
    })
}

fn calls() -> impl Strategy<Value = Call> {
    let tool = prop::sample::select(vec!["ns/t", "ns/u", "other/t"]);
    let texts = || some(vec!["a".to_owned(), "b".to_owned()]);
    (tool, inputs(), texts(), texts(), 0..20_u64, any::<bool>()).prop_map(
        |(tool, input, actor, session, now, changed)| Call {
            tool_id: tool.to_owned(),
            actor,
            session,
            now: UnixMillis::new(now),
            definition: Digest::of(if changed { b"other".as_slice() } else { b"definition" }),
            ..Call::new(input)
        },
    )
}

fn rooted(restriction: Restriction) -> Grant {
    let tool = restriction.tool.unwrap_or(GrantTool::Glob("*".to_owned()));
    Grant::load(GrantSpec {
        definition: restriction.definition,
        arguments: restriction.arguments,
        actor: restriction.actor,
        session: restriction.session,
        not_before: restriction.not_before,
        not_after: restriction.not_after,
        uses: restriction.uses,
        ..GrantSpec::new(key("parent"), GrantEffect::Allow, tool)
    })
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_narrowed_grant_never_covers_what_its_parent_does_not(
        root in restrictions(),
        chain in prop::collection::vec(restrictions(), 1..5),
        calls in prop::collection::vec(calls(), 40),
    ) {
        let mut parent = rooted(root);
        for restriction in chain {
            let child = parent.narrow(restriction).unwrap();
            for call in &calls {
                let question = call.question();
                prop_assert!(!child.covers(&question) || parent.covers(&question), "{:?}", call);
            }
            let limits = (child.uses().unwrap_or(u32::MAX), parent.uses().unwrap_or(u32::MAX));
            prop_assert!(limits.0 <= limits.1);
            let end = |grant: &Grant| grant.not_after().unwrap_or(UnixMillis::MAX);
            prop_assert!(end(&child) <= end(&parent));
            parent = child;
        }
    }

    /// A budget that many callers share is spent exactly.
    #[test]
    fn a_budget_of_n_lets_exactly_n_calls_run(budget in 0..20_u32, attempts in 0..40_u32) {
        let call = Call::new(json!({}));
        let mut grants = Grants::none().with(allow(json!({"uses": budget})));
        let mut ran = 0;
        for _ in 0..attempts {
            let verdict = Policy::default().decide(&call.question(), &grants);
            if let Some(spent) = verdict.grant.and_then(|grant| grants.spend(&grant)) {
                grants = spent;
                ran += 1;
            }
        }
        prop_assert_eq!(ran, budget.min(attempts));
    }
}
