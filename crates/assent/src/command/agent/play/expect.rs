//! Compares what came of a call with what is expected.

use assent_protocol::wire::Word as _;
use serde_json::Value;

use crate::command::agent::{outcome::CallOutcome, script::Expectation};

/// What is expected and is not so. `contained` is the object that the result should contain.
pub(super) fn unmet(
    expected: &Expectation,
    contained: Option<&Value>,
    outcome: &CallOutcome,
) -> Vec<String> {
    let mut unmet = Vec::new();
    let mut compare = |what: &str, expected: Option<&str>, found: Option<&str>| {
        if let Some(expected) = expected.filter(|expected| Some(*expected) != found) {
            let found = found.map_or("none".to_owned(), |found| format!("`{found}`"));
            unmet.push(format!("expected the {what} `{expected}`, found {found}"));
        }
    };
    let status = expected.status.map(|status| status.word());
    compare("status", status, Some(outcome.status.word()));
    compare("reason", expected.reason.as_deref(), outcome.reason.as_deref());
    compare("error code", expected.error_code.as_deref(), outcome.error_code.as_deref());
    if let Some(contained) = contained {
        match &outcome.result {
            Some(result) if contains(result, contained) => {}
            // The result is in the line of the step.
            Some(_) => unmet.push(format!("the result does not contain {contained}")),
            None => unmet.push("expected a result, found none".to_owned()),
        }
    }
    unmet
}

/// Whether `value` has every member of `part`, at every depth. Lists must be equal.
fn contains(value: &Value, part: &Value) -> bool {
    match (value, part) {
        (Value::Object(members), Value::Object(part)) => part
            .iter()
            .all(|(key, part)| members.get(key).is_some_and(|value| contains(value, part))),
        (value, part) => value == part,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::contains;

    #[test]
    fn an_object_is_contained_if_all_its_members_are() {
        let value = json!({ "a": 1, "b": { "c": [1, 2], "d": null } });
        for part in [json!({}), json!({ "a": 1 }), json!({ "b": { "c": [1, 2] } }), value.clone()] {
            assert!(contains(&value, &part), "{part}");
        }
        for part in [json!({ "a": 2 }), json!({ "b": { "c": [1] } }), json!({ "e": null })] {
            assert!(!contains(&value, &part), "{part}");
        }
    }
}
