//! JSON Schemas of tools: compiled once to see that they can be.

use assent_schema::{CompileBudget, InputSchema, SchemaProblem, SchemaProblemKind, inspect};
use serde_json::Value;

use super::{at::At, tree::Data};

/// A catalog may cost as much as the schemas of one manifest, and so many times more.
const MAX_RENEWALS: usize = 7;

/// What the schemas of one file may still cost.
#[derive(Debug, Default)]
pub(super) struct SchemaBudget {
    left: CompileBudget,
    renewals: usize,
}

impl SchemaBudget {
    /// Everything that keeps a schema from being used.
    fn problems(&mut self, schema: &Value) -> Vec<SchemaProblem> {
        let mut problems = inspect(schema, &mut self.left);
        let too_much = |problem: &SchemaProblem| problem.kind == SchemaProblemKind::TooComplex;
        if problems.iter().any(too_much) && self.renewals < MAX_RENEWALS {
            self.renewals += 1;
            self.left = CompileBudget::default();
            problems = inspect(schema, &mut self.left);
        }
        if problems.is_empty() {
            problems = InputSchema::compile(schema).err().unwrap_or_default();
        }
        problems
    }
}

/// A schema that compiles.
pub(super) fn schema(at: &At<'_>) -> Option<Value> {
    if !matches!(at.node.data, Data::Map(_) | Data::Bool(_)) {
        at.expected("a JSON Schema");
        return None;
    }
    let schema = at.node.to_value();
    let problems = at.reading.schemas.borrow_mut().problems(&schema);
    for problem in &problems {
        let offset = at.node.locate(problem.pointer.as_str());
        at.reading.problem(offset, &at.path.join(&problem.pointer), problem.message.clone());
    }
    problems.is_empty().then_some(schema)
}
