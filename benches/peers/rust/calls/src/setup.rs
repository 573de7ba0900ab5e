//! What is called, and among how many tools.

use std::path::PathBuf;

use assent_bench_harness::{Request, bytes};
use serde_json::Value;

/// What everybody builds a pipeline from.
pub struct Setup {
    /// The boundary of all names.
    pub namespace: String,
    /// What each tool does.
    pub description: String,
    /// What each tool takes.
    pub schema: Value,
    /// All tools; each has a rule.
    pub tools: Vec<RuledTool>,
    /// The tool that is called.
    pub called: String,
    /// Where files may lie: on a disk, as the cache does.
    pub directory: PathBuf,
    /// Arguments, as a model writes them.
    pub(crate) texts: Vec<&'static str>,
}

/// A tool and what was said about it in advance.
pub struct RuledTool {
    /// Its name.
    pub name: String,
    /// What its rule says.
    pub behavior: Behavior,
}

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    /// It may run.
    Allow,
    /// Somebody has to be asked.
    Ask,
    /// It may not run.
    Deny,
}

impl Setup {
    /// The setup of a case: with as many tools as a case `catalog-…` says, or as all others have.
    ///
    /// # Panics
    ///
    /// If the file is not as the generator writes it.
    #[must_use]
    pub fn read(request: &Request) -> Self {
        let data: Value =
            serde_json::from_slice(bytes(request, "calls.json")).expect("calls are JSON");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let count = match request.case.strip_prefix("catalog-") {
            Some(size) => number(size),
            None => data["tools"].as_u64().and_then(|count| count.try_into().ok()).expect("tools"),
        };
        let name = |number: usize| format!("{}_{number}", text(&data["name"]));
        let tool = |number| RuledTool { name: name(number), behavior: behavior(number) };
        let calls = data["calls"].as_array().expect("calls").iter();
        Self {
            namespace: text(&data["namespace"]),
            description: text(&data["description"]),
            schema: data["schema"].clone(),
            tools: (0..count).map(tool).collect(),
            called: name(count / 2),
            directory: request.data.clone(),
            texts: calls.map(|call| &*text(&call["text"]).leak()).collect(),
        }
    }
}

/// Not all rules say the same; those in the middle of any catalog allow.
fn behavior(number: usize) -> Behavior {
    match number % 10 {
        3 => Behavior::Deny,
        7 => Behavior::Ask,
        _ => Behavior::Allow,
    }
}

/// A number as the names of cases have it: `10`, `100k`.
pub(crate) fn number(size: &str) -> usize {
    let (digits, unit) = match size.strip_suffix('k') {
        Some(digits) => (digits, 1000),
        None => (size, 1),
    };
    digits.parse::<usize>().expect("a number") * unit
}
