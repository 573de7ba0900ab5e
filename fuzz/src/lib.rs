//! What must hold for any bytes at all. Each function is a fuzz target, and is also run over the
//! committed corpus as a plain test.
//!
//! Run them with `scripts/fuzz`.

#[cfg(test)]
mod corpus;
mod document;
mod journal;
mod relay;
mod websocket;

use assent_cedar::ToolShape;
use assent_document::Format;
use assent_json::{Canonicalizer, Document, Kind, Node};
use assent_manifest::{CheckOptions, RuleSet};
use assent_outbound::{
    MAX_TARGET_BYTES, Origins, Reach, Target, address,
    standard_webhooks::{self, Message, Secret},
};
use assent_policy::{Decision, Grants, Mode, Policy, Question, RuleSpec, Safety};
use assent_protocol::agent_tool::HookEvent;
use assent_schema::{Difference, InputSchema};
use serde_json::Value;

pub use document::document;
pub use journal::journal_lines;
pub use relay::{ledger_entry, relay_frame, relay_request};
pub use websocket::websocket_reader;

/// The reader accepts only what a lenient reader accepts as well, and every value it found lies
/// inside the text.
pub fn read(data: &[u8]) {
    let Ok(document) = assent_json::read(data) else { return };
    let lenient: Value = serde_json::from_slice(data).expect("a lenient reader accepts it too");
    visit(&document, document.root());
    assert_eq!(count(&lenient), count(&document.root().to_value()), "same shape");
}

fn visit(document: &Document<'_>, node: Node<'_>) {
    let text = document.source().get(node.offset()..node.offset() + node.source_len());
    let text = text.expect("a value lies inside the text");
    match node.kind() {
        Kind::Array => {
            assert!(text.starts_with('['));
            assert_eq!(node.elements().count(), node.len());
            node.elements().for_each(|element| visit(document, element));
        }
        Kind::Object => {
            assert!(text.starts_with('{'));
            for (key, value) in node.members() {
                let found = node.get(key).expect("a key finds its member");
                assert_eq!(found.offset(), value.offset());
                visit(document, value);
            }
        }
        Kind::String => assert!(text.starts_with('"') && text.ends_with('"')),
        Kind::Null | Kind::Boolean | Kind::Number => assert!(!text.is_empty()),
    }
}

fn count(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(count).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

/// The canonical form is canonical, and an independent implementation writes the same.
pub fn canonicalize(data: &[u8]) {
    let Ok(canonical) = assent_json::canonicalize(data) else { return };
    let again = assent_json::canonicalize(&canonical).expect("canonical JSON is JSON");
    assert_eq!(canonical, again);
    let mut reused = Canonicalizer::default();
    for text in [data, &canonical] {
        assert_eq!(reused.canonicalize(text).expect("it was accepted before"), canonical);
    }
    let value: Value = serde_json::from_slice(data).expect("a lenient reader accepts it too");
    // The other implementation keeps integers beyond 2^53 as they are; RFC 8785 does not.
    if !has_large_integer(&value) {
        assert_eq!(
            serde_json_canonicalizer::to_vec(&value).expect("a value has a form"),
            canonical
        );
    }
}

fn has_large_integer(value: &Value) -> bool {
    const LARGEST: u64 = 1 << 53;
    match value {
        Value::Number(number) => {
            number.as_u64().is_some_and(|n| n > LARGEST)
                || number.as_i64().is_some_and(|n| n.unsigned_abs() > LARGEST)
        }
        Value::Array(elements) => elements.iter().any(has_large_integer),
        Value::Object(members) => members.values().any(has_large_integer),
        _ => false,
    }
}

/// A manifest is judged by what it says, not by how it is written.
pub fn check(data: &[u8]) {
    for rules in [RuleSet::Canonical, RuleSet::Strict] {
        let options = CheckOptions { rules, ..CheckOptions::default() };
        let report = assent_manifest::check(data, options);
        let Ok(canonical) = assent_json::canonicalize(data) else {
            assert!(!report.is_valid() && report.hash.is_none());
            return;
        };
        let again = assent_manifest::check(&canonical, options);
        assert_eq!(report.hash, again.hash);
        assert_eq!(report.is_valid(), again.is_valid());
        assert_eq!(report.errors.len(), again.errors.len());
        assert_eq!(report.warnings.len(), again.warnings.len());
        if report.is_valid() {
            let document = assent_json::read(data).expect("it has a hash").root().to_value();
            for tool in document["tools"].as_array().expect("a valid manifest has tools") {
                InputSchema::compile(&tool["input_schema"]).expect("a valid schema compiles");
            }
        }
    }
}

/// A schema and arguments, with a line of three dashes between them. What a caller hears is what the
/// validator says by itself, about the arguments and everything inside them.
pub fn check_arguments(data: &[u8]) {
    let (schema, arguments) = split(data);
    let (Ok(schema), Ok(arguments)) = (assent_json::read(schema), assent_json::read(arguments))
    else {
        return;
    };
    let Ok(schema) = InputSchema::compile(&schema.root().to_value()) else { return };
    check_against(&schema, arguments.root());
}

fn check_against(schema: &InputSchema, input: Node<'_>) {
    let reasons = schema.violations(input);
    assert_eq!(schema.accepts(input), reasons.is_empty(), "{reasons:?}");
    if let Err(reason) = schema.check(input) {
        assert!(reasons.iter().any(|other| other.path == reason.path), "{reason} {reasons:?}");
    } else {
        assert!(reasons.is_empty(), "{reasons:?}");
    }
    input.elements().for_each(|element| check_against(schema, element));
    input.members().for_each(|(_, member)| check_against(schema, member));
}

/// Two manifests, with a line of three dashes between them.
pub fn diff(data: &[u8]) {
    let (old, new) = split(data);
    let Ok(canonical) = assent_manifest::diff(old, new, RuleSet::Canonical) else { return };
    let strict = assent_manifest::diff(old, new, RuleSet::Strict).expect("both are valid");
    assert_eq!(canonical.changes.len(), strict.changes.len());
    assert!(canonical.breaking_changes.len() <= strict.breaking_changes.len());
    let same_hash = assent_json::digest(old) == assent_json::digest(new);
    assert_eq!(canonical.changes.is_empty(), same_hash, "a change is told exactly if there is one");
    let nothing = assent_manifest::diff(old, old, RuleSet::Strict).expect("it is valid");
    assert!(nothing.changes.is_empty());
}

/// Two schemas, with a line of three dashes between them. Each is an instance of the other, too.
pub fn compare(data: &[u8]) {
    let (old, new) = split(data);
    let schema = |text| assent_json::read(text).map(|document| document.root().to_value());
    let (Ok(old), Ok(new)) = (schema(old), schema(new)) else { return };
    let Ok(comparison) = assent_schema::compare(&old, &new) else { return };
    let compiled = |schema| InputSchema::compile(schema).expect("it was compared");
    let (before, after) = (compiled(&old), compiled(&new));
    for (difference, yes, no) in
        [(&comparison.lost, &before, &after), (&comparison.gained, &after, &before)]
    {
        let flips = |value: &Value| accepts(yes, value) && !accepts(no, value);
        match difference {
            Difference::Witness(witness) => assert!(flips(witness)),
            Difference::Nothing => {
                for value in values(&old).into_iter().chain(values(&new)) {
                    assert!(!flips(value), "{value}");
                }
            }
            Difference::Undecided => {}
        }
    }
}

fn accepts(schema: &InputSchema, value: &Value) -> bool {
    let text = value.to_string();
    assent_json::read(text.as_bytes()).is_ok_and(|document| schema.accepts(document.root()))
}

/// A value and all values inside it.
fn values(value: &Value) -> Vec<&Value> {
    let inner: Vec<&Value> = match value {
        Value::Array(elements) => elements.iter().flat_map(values).collect(),
        Value::Object(members) => members.values().flat_map(values).collect(),
        _ => Vec::new(),
    };
    std::iter::once(value).chain(inner).collect()
}

/// Whatever a rehearsal file is, it gets an answer with places inside of it, and a text that is good
/// YAML and good JSON means the same as both.
pub fn rehearsal(data: &[u8]) {
    let [yaml, json] = [Format::Yaml, Format::Json].map(|format| {
        let read = assent_rehearsal::read(data, format);
        let lines = data.split(|&byte| byte == b'\n').count();
        for problem in read.as_ref().err().into_iter().flatten() {
            assert!((1..=lines).contains(&problem.line) && problem.column >= 1);
            let _place = assent_document::locate(data, format, &problem.path);
        }
        read
    });
    assert!(yaml.as_ref().err().is_none_or(|problems| !problems.as_slice().is_empty()));
    if let (Ok(yaml), Ok(json)) = (yaml, json) {
        assert_eq!(yaml, json);
    }
}

/// Whatever a hook answers, it is refused with places inside of it, or it is understood: written down and
/// read again it means the same, and a field that does nothing in its event is not among what was read.
pub fn hook_effects(data: &[u8]) {
    for &event in HookEvent::ALL {
        match assent_hooks::effects::read(data, event) {
            Ok(effects) => {
                let written = assent_hooks::effects::write(&effects).expect("it was read");
                let again = assent_hooks::effects::read(written.as_bytes(), event);
                assert_eq!(again.expect("what is written is read"), effects);
                let fields: Value = serde_json::from_str(&written).expect("it is JSON");
                for field in fields.as_object().expect("an object").keys() {
                    assert!(assent_hooks::effects::possible(event).contains(&field.as_str()));
                }
            }
            Err(problems) => {
                let lines = data.split(|&byte| byte == b'\n').count();
                assert!(problems.iter().next().is_some(), "a refusal has a reason");
                assert!(problems.iter().all(|problem| (1..=lines).contains(&problem.line)));
            }
        }
    }
}

/// Whatever rules and arguments are (`RULES`, a line of dashes, `ARGUMENTS`), they load or are refused with
/// reasons; and whatever loads never allows what a rule denies, and says the same with every rule twice.
pub fn policy_rules(data: &[u8]) {
    let (rules, arguments) = split(data);
    let Ok(rules) = serde_json::from_slice::<Vec<RuleSpec>>(rules) else { return };
    let policy = match Policy::load(&rules) {
        Ok(policy) => policy,
        Err(problems) => return assert!(!problems.is_empty(), "a refusal has a reason"),
    };
    let Some(once) = decide(&policy, arguments) else { return };
    let denies = once.reasons.iter().any(|reason| reason.decision == Decision::Deny);
    assert_eq!(denies, once.decision == Decision::Deny, "a denial wins, and nothing else denies");
    assert_eq!(once.reasons.iter().filter(|reason| reason.decisive).count(), 1);
    let reversed: Vec<RuleSpec> = rules.into_iter().rev().collect();
    let reversed = Policy::load(reversed).expect("it loaded before");
    assert_eq!(decide(&reversed, arguments), Some(once), "the order does not matter");
}

/// Whatever a Cedar text is (`POLICIES`, a line of dashes, `ARGUMENTS`), it loads or is refused with
/// reasons, and what could not be evaluated never allows anything.
pub fn cedar_policies(data: &[u8]) {
    let (policies, arguments) = split(data);
    let Ok(policies) = std::str::from_utf8(policies) else { return };
    let schema = serde_json::json!({"type": "object", "properties": {
        "path": {"type": "string"}, "count": {"type": "integer"}, "deep": {"type": "boolean"}
    }});
    let tool = ToolShape {
        tool_id: "files:read",
        namespace: "files",
        name: "read",
        input_schema: Some(&schema),
    };
    match assent_cedar::load_policy(&[], policies, [tool]) {
        Ok(policy) => {
            let Some(verdict) = decide(&policy, arguments) else { return };
            assert!(verdict.errors.is_empty() || verdict.decision != Decision::Allow);
        }
        Err(error) => assert!(error.lines().next().is_some(), "a refusal has a reason"),
    }
}

/// What a policy says to a call that writes, with these arguments.
fn decide(policy: &Policy, arguments: &[u8]) -> Option<assent_policy::Verdict> {
    let input = assent_json::read(arguments).ok()?;
    let question = Question {
        tool_id: "files:read",
        namespace: "files",
        name: "read",
        qualified: None,
        aliases: &[],
        operation: None,
        definition: assent_json::Digest::of(b"definition"),
        safety: Safety { read_only: false, destructive: false, open_world: true },
        requires_approval: false,
        actor: Some("agent"),
        session: None,
        input: input.root(),
        mode: Mode::Interactive,
        opinions: &[],
        now: assent_ids::UnixMillis::new(0),
    };
    Some(policy.decide(&question, &Grants::none()))
}

/// Whatever a URL is: what a stranger may have called is encrypted, public and kept in a form that means the
/// same when it is read again. And whatever a list of exceptions is, it is written as it is read.
pub fn outbound_target(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(origins) = text.parse::<Origins>() {
        assert_eq!(origins.to_string().parse(), Ok(origins));
    }
    let strangers = Reach::Public(Origins::default());
    let Ok(target) = Target::parse(text, &strangers) else { return };
    let (kept, origin) = (target.as_str(), target.origin());
    assert!(origin.is_encrypted() && kept.starts_with("https://"), "{kept}");
    assert!(kept.len() <= MAX_TARGET_BYTES && !kept.contains('#'), "{kept}");
    assert!(origin.port() == 443 || origin.port() >= 1024, "{kept}");
    assert!(origin.address().is_none_or(|address| address::vet(address).is_ok()), "{kept}");
    for reach in [strangers, Reach::Anywhere] {
        assert_eq!(Target::parse(kept, &reach).as_ref(), Ok(&target));
    }
}

/// Whatever the headers of a webhook are (its id, its time and its signatures, a line each, then its body):
/// it is believed only if our own signature is among those that it shows.
pub fn webhook_signature(data: &[u8]) {
    let mut parts = data.splitn(4, |&byte| byte == b'\n');
    let mut headers = http::HeaderMap::new();
    let names = [standard_webhooks::ID, standard_webhooks::TIMESTAMP, standard_webhooks::SIGNATURE];
    for (name, value) in names.into_iter().zip(&mut parts) {
        let Ok(value) = http::HeaderValue::from_bytes(value) else { return };
        headers.insert(name, value);
    }
    let body = parts.next().unwrap_or_default();
    let secret: Secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().expect("it is one");
    let now = assent_ids::UnixMillis::new(1_614_265_330_000);
    let Ok(message) = standard_webhooks::verify(&headers, body, &[&secret], now) else { return };
    let ours = Message::new(message.id(), message.sent(), body).expect("it was believed");
    let ours = ours.sign(&[&secret]).expect("one secret is enough");
    let text = |headers: &http::HeaderMap| {
        headers[standard_webhooks::SIGNATURE].to_str().expect("it is ASCII").to_owned()
    };
    assert!(text(&headers).split(' ').any(|shown| shown == text(&ours)));
}

fn split(data: &[u8]) -> (&[u8], &[u8]) {
    let separator = b"\n---\n";
    match data.windows(separator.len()).position(|window| window == separator) {
        Some(at) => (&data[..at], &data[at + separator.len()..]),
        None => (data, data),
    }
}
