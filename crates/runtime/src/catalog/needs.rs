//! The requirements of a tool. The standard names these fields in its prose; in an interface they are among the
//! fields that the published schema does not list.

use assent_protocol::{agent_tool::ToolInterface, wire::Object};
use serde_json::Value;

use super::register::Findings;

/// The requirements of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Features that have to be enabled.
    pub features: Vec<String>,
    /// Capabilities that the model has to have.
    pub model: Vec<String>,
    /// Whether it has to be set up first.
    pub setup: bool,
    /// Whether it interacts with a person while it runs.
    pub interaction: bool,
    /// Whether it should be loaded before others.
    pub always_load: bool,
    /// Whether it has to be found before it is loaded.
    pub deferral: bool,
}

impl Needs {
    /// Reads an interface. A requirement that cannot be read is a problem.
    pub(super) fn of(interface: &ToolInterface, findings: &mut Findings) -> Self {
        let extra = &interface.extra;
        Self {
            features: texts(extra, "feature_gate_refs", findings),
            model: model(extra, findings),
            setup: flag(extra, "requires_setup", findings),
            interaction: interface.requires_user_interaction.unwrap_or(false),
            always_load: flag(extra, "always_load", findings),
            deferral: flag(extra, "should_defer", findings),
        }
    }
}

/// The names of the credentials that an interface requires.
pub(super) fn credentials(interface: &ToolInterface, findings: &mut Findings) -> Vec<String> {
    texts(&interface.extra, "required_credentials", findings)
}

fn flag(extra: &Object, name: &str, findings: &mut Findings) -> bool {
    match extra.get(name) {
        None => false,
        Some(Value::Bool(flag)) => *flag,
        Some(_) => {
            findings.problem(format!("/interface/{name}"), "it must be true or false");
            false
        }
    }
}

fn texts(extra: &Object, name: &str, findings: &mut Findings) -> Vec<String> {
    let Some(value) = extra.get(name) else { return Vec::new() };
    let texts = value.as_array().and_then(|items| {
        let text = |item: &Value| item.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        items.iter().map(text).collect()
    });
    texts.unwrap_or_else(|| {
        findings.problem(format!("/interface/{name}"), "it must be a list of texts");
        Vec::new()
    })
}

/// `["strict_schemas"]` or `{"strict_schemas": true}`.
fn model(extra: &Object, findings: &mut Findings) -> Vec<String> {
    const NAME: &str = "model_requirements";
    let Some(Value::Object(members)) = extra.get(NAME) else { return texts(extra, NAME, findings) };
    let mut needed = Vec::new();
    for (name, value) in members {
        match value {
            Value::Bool(true) => needed.push(name.clone()),
            Value::Bool(false) => {}
            _ => findings.problem(format!("/interface/{NAME}/{name}"), "it must be true or false"),
        }
    }
    needed
}
