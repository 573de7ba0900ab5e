//! The schemas of a tool as texts. A tree takes several times the memory, and a catalog holds many.

use assent_schema::InputSchema;
use serde_json::Value;

use super::Schemas;

/// The schemas of a tool, as JSON.
#[derive(Clone, Debug, Default)]
pub(super) struct SchemaTexts {
    pub(super) model: Option<Box<str>>,
    pub(super) runtime: Option<Box<str>>,
    pub(super) output: Option<Box<str>>,
}

/// A schema that cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {which} schema cannot be compiled: {why}")]
pub struct UnusableSchema {
    /// `model`, `runtime` or `output`.
    which: &'static str,
    why: Box<str>,
}

impl SchemaTexts {
    pub(super) fn compile(&self) -> Result<Schemas, UnusableSchema> {
        // Arguments without a schema are a text or a stream, of which only the executor knows more.
        let model = compile("model", self.model.as_deref().unwrap_or("true"))?;
        let optional = |which, text: &Option<Box<str>>| {
            text.as_deref().map(|text| compile(which, text)).transpose()
        };
        let runtime = optional("runtime", &self.runtime)?;
        let output = optional("output", &self.output)?;
        Ok(Schemas { model, runtime, output })
    }
}

fn compile(which: &'static str, text: &str) -> Result<InputSchema, UnusableSchema> {
    let unusable = |why: String| UnusableSchema { which, why: why.into() };
    let schema = tree(text).ok_or_else(|| unusable("it is not JSON".to_owned()))?;
    InputSchema::compile(&schema).map_err(|problems| {
        let first = problems.first();
        unusable(first.map_or_else(String::new, |first| format!("{}: {first}", first.pointer)))
    })
}

/// The tree that a text was made from.
pub(super) fn tree(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}
