//! The documentation is right: its examples and schemas are what the code reads and writes.

use std::{path::PathBuf, sync::Arc};

use assent_hooks::{HookEnvironment, Roots, effects, load};
use assent_ids::SystemClock;
use jsonschema::Validator;
use serde_json::Value;

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// A published schema.
pub fn schema(name: &str) -> Validator {
    let path = docs().join("hooks").join(format!("{name}.schema.json"));
    let text = std::fs::read_to_string(path).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is one");
    jsonschema::validator_for(&schema).unwrap()
}

/// The examples of the page with this label, and what follows the label.
fn examples(label: &str) -> Vec<(String, String)> {
    let page = std::fs::read_to_string(docs().join("hooks.md")).unwrap();
    let opening = format!("```json {label}");
    let mut found = Vec::new();
    for block in page.split(&opening).skip(1) {
        let (rest_of_label, body) = block.split_once('\n').unwrap();
        let (body, _) = body.split_once("\n```").unwrap();
        found.push((rest_of_label.trim().to_owned(), body.to_owned()));
    }
    assert!(!found.is_empty(), "there are examples of {label}");
    found
}

#[test]
fn the_moments_of_the_page_fit_the_schema() {
    let schema = schema("moment");
    for (_, text) in examples("moment") {
        let value = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} {text}");
    }
}

#[test]
fn the_effects_of_the_page_fit_the_schema_and_are_read() {
    let schema = schema("effects");
    for (event, text) in examples("effects") {
        assert!(schema.is_valid(&serde_json::from_str(&text).unwrap()), "{text}");
        let effects = effects::read(text.as_bytes(), event.parse().unwrap());
        assert_ne!(effects.unwrap(), assent_runtime::HookEffects::default(), "{text}");
    }
}

#[test]
fn the_files_of_the_page_are_loaded() {
    let roots = Roots::Only(Vec::new());
    let around = HookEnvironment { clock: Arc::new(SystemClock), roots };
    for (_, text) in examples("hooks") {
        if let Err(problems) = load(text.as_bytes(), &around) {
            panic!("{problems}\n{text}");
        }
    }
}

#[test]
fn the_page_tells_which_effects_are_possible_in_which_event() {
    let page = std::fs::read_to_string(docs().join("hooks.md")).unwrap();
    for &event in assent_protocol::agent_tool::HookEvent::ALL {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{event}` |"))).unwrap();
        let told = row.split('|').nth(3).unwrap().trim();
        let possible: Vec<String> =
            effects::possible(event).iter().map(|effect| format!("`{effect}`")).collect();
        assert_eq!(told, possible.join(" "), "{event}");
    }
}
