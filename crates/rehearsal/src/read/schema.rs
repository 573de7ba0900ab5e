//! JSON Schemas of tools, which must compile.

use assent_document::{Kind, Node};
use assent_schema::{CompileBudget, InputSchema, SchemaProblem, SchemaProblemKind, inspect};
use serde_json::Value;

use super::context::Context;

/// How often the budget of one manifest is renewed for the schemas of a file.
const MAX_RENEWALS: usize = 7;

/// The remaining budget of the schemas of one file.
#[derive(Debug, Default)]
pub(super) struct SchemaBudget {
    left: CompileBudget,
    renewals: usize,
}

impl SchemaBudget {
    /// Returns the problems of a schema.
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

/// Reads a schema that compiles.
pub(super) fn schema(node: &Node<'_>, context: &Context) -> Option<Value> {
    if !matches!(node.kind(), Kind::Object | Kind::Boolean) {
        node.expected("a JSON Schema");
        return None;
    }
    let schema = node.to_value();
    let problems = context.schemas.borrow_mut().problems(&schema);
    for problem in &problems {
        node.problem_at(&problem.pointer, problem.message.clone());
    }
    problems.is_empty().then_some(schema)
}
