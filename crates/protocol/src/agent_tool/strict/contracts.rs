//! What input and output contracts must keep.

use serde_json::Value;

use super::{Checker, Problem, Strict};
use crate::agent_tool::{ToolInputContract, ToolOutputContract};

impl Strict for ToolInputContract {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.demand(
            self.model_input_schema.is_some(),
            "model_input_schema",
            "a tool that takes arguments needs a schema for them",
        );
        // "Internal-only fields MUST NOT appear in model-facing schemas."
        for field in self.internal_only_fields.iter().flatten() {
            let name = field.strip_prefix('/').unwrap_or(field);
            if names_property(self.model_input_schema.as_ref(), name) {
                check
                    .problem("model_input_schema", format!("it names the internal field `{name}`"));
            }
        }
        check.refs("sensitive_fields", self.sensitive_fields.as_ref());
        check.refs("internal_only_fields", self.internal_only_fields.as_ref());
        if let Some(mode) = &self.argument_mode {
            check.known("argument_mode", mode);
        }
        check.typed("mutation_policy", self.mutation_policy.as_ref());
        check.done()
    }
}

/// Whether the schema declares a property of that name, at whatever depth.
fn names_property(schema: Option<&Value>, name: &str) -> bool {
    match schema {
        Some(Value::Object(keywords)) => keywords.iter().any(|(keyword, value)| {
            let declares = keyword == "properties" && value.get(name).is_some();
            declares || names_property(Some(value), name)
        }),
        Some(Value::Array(items)) => items.iter().any(|item| names_property(Some(item), name)),
        _ => false,
    }
}

impl Strict for ToolOutputContract {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.refs("content_types", self.content_types.as_ref());
        check.done()
    }
}
