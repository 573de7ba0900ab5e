//! What a hook answers is understood, or refused with a place and a way out.

use assent_hooks::effects::{possible, read, write};
use assent_json::Json;
use assent_policy::Decision;
use assent_protocol::agent_tool::{HookEvent, PersistenceStrategy};
use assent_runtime::{HookEffects, HookStop, Progress};
use proptest::prelude::*;
use serde_json::Value;

use crate::documented::schema;

fn problems(answer: &str, event: HookEvent) -> String {
    read(answer.as_bytes(), event).unwrap_err().to_string()
}

#[test]
fn silence_is_no_opinion() {
    for silence in ["", " \n\t", "{}", "{\"version\": 1}"] {
        for &event in HookEvent::ALL {
            assert_eq!(read(silence.as_bytes(), event).unwrap(), HookEffects::default());
        }
    }
    let passthrough = r#"{"decide": {"behavior": "passthrough", "reason": "not mine"}}"#;
    let effects = read(passthrough.as_bytes(), HookEvent::PreToolUse).unwrap();
    assert_eq!(effects, HookEffects::default());
}

#[test]
fn every_effect_is_read() {
    let before = r#"{
        "version": 1, "update_input": {"a": 1.0}, "decide": {"behavior": "ask", "reason": "why"},
        "context": ["c"], "messages": ["m", ""], "stop": "s",
        "progress": [{"message": "p", "percent": 50.5, "current_step": "x", "total_steps": 3,
                      "bytes_read": 1, "bytes_written": 2, "line_count": 4}, {}]
    }"#;
    assert_eq!(
        read(before.as_bytes(), HookEvent::PreToolUse).unwrap(),
        HookEffects {
            update_input: Some(Json::read(r#"{"a": 1}"#).unwrap()),
            decide: Some((Decision::Ask, Some("why".to_owned()))),
            context: vec!["c".to_owned()],
            messages: vec!["m".to_owned(), String::new()],
            progress: vec![
                Progress {
                    message: Some("p".to_owned()),
                    percent: Some(50.5),
                    current_step: Some("x".to_owned()),
                    total_steps: Some(3),
                    bytes_read: Some(1),
                    bytes_written: Some(2),
                    line_count: Some(4),
                    extra: assent_protocol::wire::Object::new(),
                },
                Progress::default(),
            ],
            stop: Some(HookStop::new("s")),
            update_output: None,
            persistence: None,
        }
    );
    let after = read(br#"{"update_output": null}"#, HookEvent::PostToolUse).unwrap();
    assert_eq!(after.update_output, Some(Json::null()));
    let stored = read(br#"{"persistence": "ref_only"}"#, HookEvent::ResultPersistence).unwrap();
    assert_eq!(stored.persistence, Some(PersistenceStrategy::RefOnly));
}

#[test]
fn what_is_not_understood_is_refused_with_its_place_and_without_values() {
    for (answer, expected) in [
        ("[]", "(1:1): expected an object, found a list"),
        ("{} {}", "(1:4): nothing may follow the document"),
        (r#"{"stop": "a", "stop": "b"}"#, "the key `stop` occurs twice in one object"),
        (r#"{"update_input": {"k": 1, "k": 2}}"#, "the key `k` occurs twice in one object"),
        (
            r#"{"updateInput": {}}"#,
            "/updateInput (1:2): the key `updateInput` is not known here; did you mean `update_input`?",
        ),
        (
            r#"{"decide": {"behavior": "deny", "why": "planted"}}"#,
            "/decide/why (1:33): the key `why` is not known here; known are `behavior`, `reason`",
        ),
        (r#"{"decide": {"reason": "planted"}}"#, "/decide (1:12): `behavior` is missing"),
        (r#"{"decide": "deny"}"#, "/decide (1:12): expected an object, found text"),
        (
            r#"{"decide": {"behavior": "planted"}}"#,
            "/decide/behavior (1:25): expected one of `allow`, `ask`, `deny`, `passthrough`",
        ),
        (r#"{"decide": null}"#, "/decide (1:12): expected an object, found nothing"),
        (
            r#"{"update_input": ["planted"]}"#,
            "/update_input (1:18): expected an object, found a list",
        ),
        (r#"{"context": "planted"}"#, "/context (1:13): expected a list, found text"),
        (
            r#"{"context": ["a", 7]}"#,
            "/context/1 (1:19): expected text, found a number; put it into quotes",
        ),
        (r#"{"stop": true}"#, "/stop (1:10): expected text, found a boolean; put it into quotes"),
        (
            r#"{"progress": [{"percent": 101}]}"#,
            "/progress/0/percent (1:27): expected a number from 0 to 100",
        ),
        (
            r#"{"progress": [{"line_count": -1}]}"#,
            "/progress/0/line_count (1:30): expected a whole number from 0 to 9007199254740992",
        ),
        (r#"{"version": 2}"#, "/version (1:13): expected a whole number from 1 to 1"),
        ("\u{feff}{}", "byte order mark"),
        ("not json", "expected a value"),
    ] {
        let told = problems(answer, HookEvent::PreToolUse);
        assert!(told.contains(expected), "{answer}\n{told}");
        assert!(!told.contains("planted"), "{told}");
    }
}

#[test]
fn all_problems_are_reported_at_once_and_their_number_is_bounded() {
    let many: Vec<String> = (0..200).map(|n| format!("\"f{n}\": 1")).collect();
    let told = problems(&format!("{{{}}}", many.join(",")), HookEvent::PreToolUse);
    assert_eq!(told.lines().count(), 101);
    assert!(told.ends_with("there are 100 more problems"));
    let long = problems(&format!(r#"{{"{}": 1}}"#, "k".repeat(10_000)), HookEvent::PreToolUse);
    assert!(long.len() < 500, "{long}");
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        read(
            format!(r#"{{"update_input": {{"a": {open}{close}}}}}"#).as_bytes(),
            HookEvent::PreToolUse,
        )
    };
    assert!(nested(assent_json::MAX_DEPTH - 2).is_ok());
    assert!(nested(assent_json::MAX_DEPTH - 1).is_err());
}

#[test]
fn an_effect_that_would_do_nothing_is_refused() {
    let effects = [
        ("update_input", "{}"),
        ("decide", r#"{"behavior": "deny"}"#),
        ("context", "[]"),
        ("messages", "[]"),
        ("progress", "[]"),
        ("stop", "\"\""),
        ("update_output", "1"),
        ("persistence", "\"redact\""),
    ];
    for &event in HookEvent::ALL {
        for (effect, value) in effects {
            let answer = format!(r#"{{"{effect}": {value}}}"#);
            let is_possible = possible(event).contains(&effect);
            assert_eq!(read(answer.as_bytes(), event).is_ok(), is_possible, "{event} {effect}");
        }
    }
}

/// The published schema and the reader agree about answers of every shape.
#[test]
fn the_schema_accepts_what_the_reader_accepts() {
    let schema = schema("effects");
    let values = [
        "null",
        "true",
        "0",
        "1",
        "2",
        "-1",
        "101",
        "\"\"",
        "\"ask\"",
        "\"inline\"",
        "[]",
        "[\"a\"]",
        "[1]",
        "[{}]",
        "[{\"percent\": 7}]",
        "[{\"percent\": 700}]",
        "[{\"x\": 1}]",
        "[{\"line_count\": 1.5}]",
        "{}",
        "{\"a\": 1}",
        "{\"behavior\": \"ask\"}",
        "{\"behavior\": \"ask\", \"reason\": 1}",
        "{\"behavior\": \"maybe\"}",
    ];
    let fields = [
        "version",
        "update_input",
        "decide",
        "context",
        "messages",
        "progress",
        "stop",
        "update_output",
        "persistence",
        "unknown",
    ];
    let mut accepted = 0;
    for field in fields {
        for value in values {
            let answer = format!(r#"{{"{field}": {value}}}"#);
            // An effect is understood if any event understands it.
            let read = HookEvent::ALL.iter().any(|&event| read(answer.as_bytes(), event).is_ok());
            let fits = schema.is_valid(&serde_json::from_str::<Value>(&answer).unwrap());
            assert_eq!(read, fits, "{answer}");
            accepted += usize::from(read);
        }
    }
    assert!(accepted > values.len());
}

fn some_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

prop_compose! {
    fn some_progress()(
        message in prop::option::of(".{0,9}"), percent in prop::option::of(0.0..=100.0_f64),
        current_step in prop::option::of(".{0,9}"), total_steps in prop::option::of(0..1_u64 << 53),
        bytes_read in prop::option::of(0..9_u64), bytes_written in prop::option::of(0..9_u64),
        line_count in prop::option::of(0..9_u64),
    ) -> Progress {
        Progress {
            message, percent, current_step, total_steps, bytes_read, bytes_written, line_count,
            extra: assent_protocol::wire::Object::new(),
        }
    }
}

prop_compose! {
    /// Effects that are possible in this event.
    fn some_effects(event: HookEvent)(
        input in prop::option::of(prop::collection::btree_map(".{0,6}", some_json(), 0..4)),
        decide in prop::option::of((0..3_usize, prop::option::of(".{0,20}"))),
        context in prop::collection::vec(".{0,20}", 0..3),
        messages in prop::collection::vec(".{0,20}", 0..3),
        progress in prop::collection::vec(some_progress(), 0..3),
        stop in prop::option::of((".{0,20}", prop::option::of("[a-z_]{0,20}"))),
        output in prop::option::of(some_json()),
        persistence in prop::option::of(prop::sample::select(PersistenceStrategy::ALL)),
    ) -> HookEffects {
        let can = |effect| possible(event).contains(&effect);
        let json = |value: &Value| Json::from_value(value).unwrap();
        let decisions = [Decision::Allow, Decision::Ask, Decision::Deny];
        HookEffects {
            update_input: input.filter(|_| can("update_input"))
                .map(|members| json(&Value::Object(members.into_iter().collect()))),
            decide: decide.filter(|_| can("decide"))
                .map(|(index, reason)| (decisions[index], reason)),
            context: if can("context") { context } else { Vec::new() },
            messages,
            progress,
            stop: stop.filter(|_| can("stop"))
                .map(|(reason, code)| HookStop { reason, code: code.map(Into::into) }),
            update_output: output.filter(|_| can("update_output")).map(|value| json(&value)),
            persistence: persistence.filter(|_| can("persistence")),
        }
    }
}

fn some_event() -> impl Strategy<Value = HookEvent> {
    prop::sample::select(HookEvent::ALL)
}

proptest! {
    #[test]
    fn effects_survive_being_written_and_read(
        (event, effects) in some_event().prop_flat_map(|event| (Just(event), some_effects(event)))
    ) {
        let written = write(&effects).unwrap();
        prop_assert_eq!(read(written.as_bytes(), event).unwrap(), effects);
        let value: Value = serde_json::from_str(&written).unwrap();
        prop_assert!(schema("effects").is_valid(&value), "{}", written);
    }

    #[test]
    fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..200), event in some_event()) {
        let _answer = read(&bytes, event);
    }

    #[test]
    fn any_json_gets_an_answer(value in some_json(), event in some_event()) {
        let _answer = read(value.to_string().as_bytes(), event);
    }
}
