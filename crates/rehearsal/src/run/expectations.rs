//! Checks expectations.

use std::fmt;

use assent_ids::CallId;
use serde_json::Value;

use super::{
    report::{CallReport, Report},
    tool::Executions,
};
use crate::{CallExpectation, Expectation, Scenario};

/// An expectation that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The index in the file, from 0.
    pub index: usize,
    /// The call that was expected to meet it.
    pub call: Option<CallId>,
    /// The expectation.
    pub expected: String,
    /// The actual outcome.
    pub found: String,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expect[{}]", self.index)?;
        if let Some(call) = &self.call {
            write!(f, " (call `{call}`)")?;
        }
        write!(f, ": expected {}, found {}", self.expected, self.found)
    }
}

pub(super) fn unmet(scenario: &Scenario, report: &Report, executions: &Executions) -> Vec<Unmet> {
    let mut unmet = Vec::new();
    for (index, expectation) in scenario.expectations.iter().enumerate() {
        match expectation {
            Expectation::Call(expected) => {
                let found = report.calls.iter().find(|call| call.id == expected.call);
                let differences = match found {
                    Some(found) => differences(expected, found),
                    None => vec![("an end".to_owned(), "none".to_owned())],
                };
                unmet.extend(differences.into_iter().map(|(wanted, found)| Unmet {
                    index,
                    call: Some(expected.call.clone()),
                    expected: wanted,
                    found,
                }));
            }
            Expectation::Executed(counts) => {
                for (tool, count) in counts {
                    let found = executions.of(scenario.tool(tool));
                    if found != *count {
                        let expected = format!("`{tool}` to be executed {count} times");
                        let found = format!("{found} times");
                        unmet.push(Unmet { index, call: None, expected, found });
                    }
                }
            }
            Expectation::Delivered(order) => {
                if *order != report.delivered {
                    let list = |calls: &[CallId]| {
                        let names: Vec<_> = calls.iter().map(ToString::to_string).collect();
                        format!("[{}]", names.join(", "))
                    };
                    let expected = format!("results in the order {}", list(order));
                    unmet.push(Unmet {
                        index,
                        call: None,
                        expected,
                        found: list(&report.delivered),
                    });
                }
            }
        }
    }
    unmet
}

fn differences(expected: &CallExpectation, found: &CallReport) -> Vec<(String, String)> {
    let mut differences = Vec::new();
    if let Some(status) = expected.status
        && found.status != status.into()
    {
        differences.push((format!("status `{status}`"), format!("`{}`", found.status)));
    }
    if let Some(class) = expected.error_class {
        let actual = error_class(found);
        if actual.as_deref() != Some(class.as_str()) {
            let actual = actual.map_or_else(|| "no error".to_owned(), |class| format!("`{class}`"));
            differences.push((format!("error class `{class}`"), actual));
        }
    }
    if let Some(executed) = expected.executed
        && found.executed != executed
    {
        differences
            .push((format!("executed: {executed}"), format!("executed: {}", found.executed)));
    }
    if let Some(part) = &expected.result_contains {
        let result = serde_json::to_value(&*found.result).unwrap_or_default();
        if !contains(&result, part) {
            let status = found.result.status.as_str();
            differences.push((
                format!("a result that contains {part}"),
                format!("one that does not (its status is `{status}`)"),
            ));
        }
    }
    differences
}

fn error_class(call: &CallReport) -> Option<String> {
    let error = call.result.error.as_ref()?.typed()?;
    Some(error.error_class.as_str().to_owned())
}

/// Returns `true` if `whole` contains `part` somewhere: a text within a text, an object with all members, a
/// list with all elements, or an equal value.
fn contains(whole: &Value, part: &Value) -> bool {
    matches_here(whole, part)
        || match whole {
            Value::Object(members) => members.values().any(|member| contains(member, part)),
            Value::Array(elements) => elements.iter().any(|element| contains(element, part)),
            _ => false,
        }
}

fn matches_here(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::String(whole), Value::String(part)) => whole.contains(part.as_str()),
        (Value::Object(whole), Value::Object(part)) => part
            .iter()
            .all(|(key, part)| whole.get(key).is_some_and(|whole| matches_here(whole, part))),
        (Value::Array(whole), Value::Array(part)) => {
            part.iter().all(|part| whole.iter().any(|whole| matches_here(whole, part)))
        }
        (Value::Number(whole), Value::Number(part)) => whole.as_f64() == part.as_f64(),
        (whole, part) => whole == part,
    }
}
