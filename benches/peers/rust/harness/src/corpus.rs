//! The generated data, as the adapters read them.
//!
//! An adapter runs one case and ends, so what it reads may live as long as the process does. That
//! lets a document be read beforehand and kept next to its text.

use serde_json::Value;

use crate::Request;

/// A tool with the schema of its arguments, and arguments to try.
pub struct Tool {
    /// The schema.
    pub schema: Value,
    /// The arguments.
    pub instances: Vec<Instance>,
}

/// Arguments for a tool.
pub struct Instance {
    /// The JSON text, as it would arrive.
    pub text: &'static str,
    /// Whether the schema accepts it.
    pub valid: bool,
}

/// The bytes of one file of the data.
///
/// # Panics
///
/// If the file cannot be read: without data there is nothing to measure.
#[must_use]
pub fn bytes(request: &Request, file: &str) -> &'static [u8] {
    let path = request.data.join(file);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).leak()
}

/// The manifest of a case such as `canonical-64k`.
#[must_use]
pub fn manifest(request: &Request) -> Option<&'static [u8]> {
    let size = request.case.strip_prefix("canonical-")?;
    Some(bytes(request, &format!("manifest-{size}.json")))
}

/// The two manifests of a case such as `diff-20-of-200`.
#[must_use]
pub fn diff_pair(request: &Request) -> Option<[&'static [u8]; 2]> {
    let case = &request.case;
    case.starts_with("diff-")
        .then(|| ["old", "new"].map(|side| bytes(request, &format!("{case}-{side}.json"))))
}

/// The five tools.
///
/// # Panics
///
/// If the file is not as the generator writes it.
#[must_use]
pub fn tools(request: &Request) -> Vec<Tool> {
    let tools: Value =
        serde_json::from_slice(bytes(request, "tools.json")).expect("tools are JSON");
    list(&tools)
        .map(|tool| Tool {
            schema: tool["schema"].clone(),
            instances: list(&tool["instances"])
                .map(|instance| Instance {
                    text: instance["text"].as_str().expect("text").to_owned().leak(),
                    valid: instance["valid"].as_bool().expect("a verdict"),
                })
                .collect(),
        })
        .collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}
