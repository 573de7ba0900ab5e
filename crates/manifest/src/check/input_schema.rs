//! Input schemas of tools.

use assent_json::{Kind, Node, Pointer};
use assent_schema::{CompileBudget, inspect};

use super::{Findings, fields::Fields};
use crate::Code;

pub(super) fn check(fields: &Fields<'_>, budget: &mut CompileBudget, findings: &mut Findings) {
    let Some((schema, path)) = fields.required("input_schema", Kind::Object, findings) else {
        return;
    };
    check_object_type(schema, &path, findings);
    check_openness(schema, &path, findings);
    for problem in inspect(&schema.to_value(), budget) {
        let code = Code::of_schema_problem(problem.kind);
        findings.error(code, &path.join(&problem.pointer), problem.message);
    }
}

/// Arguments are always an object, so the schema must say so.
fn check_object_type(schema: Node<'_>, path: &Pointer, findings: &mut Findings) {
    let stated = schema.get("type");
    if stated.and_then(|stated| stated.as_str()) != Some("object") {
        let path = if stated.is_some() { &path.key("type") } else { path };
        let message = "the input of a tool is an object; write `\"type\": \"object\"`";
        findings.error(Code::BadInputSchema, path, message);
    }
}

fn check_openness(schema: Node<'_>, path: &Pointer, findings: &mut Findings) {
    let closed = ["additionalProperties", "unevaluatedProperties"]
        .iter()
        .any(|keyword| schema.get(keyword).and_then(|value| value.as_bool()) == Some(false));
    if !closed {
        let message = "the schema accepts fields that it does not declare; \
                       write `\"additionalProperties\": false`";
        findings.error_if_strict(Code::OpenInputSchema, path, message);
    }
}
