//! Checks of the records of a definition, one by one and against each other.

use assent_protocol::agent_tool::{
    SCHEMA_VERSION,
    strict::{Problem, Strict},
};

use super::Findings;
use crate::catalog::ToolDefinition;

/// The consequence of a deviation from the strict profile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Severity {
    /// The definition is refused.
    Refuse,
    /// It is accepted with a recommendation.
    Remark,
    /// It is filled in, or checked more closely elsewhere.
    Pass,
}

pub(super) fn check(definition: &ToolDefinition, findings: &mut Findings) {
    strict("/declaration", &definition.declaration, findings, of_declaration);
    strict("/interface", &definition.interface, findings, of_interface);
    strict("/execution", &definition.execution, findings, of_execution);
    strict("/permission", &definition.permission, findings, of_permission);
    for (record, version) in [
        ("/declaration", &definition.declaration.schema_version),
        ("/interface", &definition.interface.schema_version),
        ("/execution", &definition.execution.schema_version),
        ("/permission", &definition.permission.schema_version),
    ] {
        self::version(record, version, findings);
    }
    for (at, lock) in definition.locks.iter().enumerate() {
        if lock.key.is_empty() {
            findings.problem(format!("/locks/{at}/key"), "it must not be empty");
        }
    }
    references(definition, findings);
}

fn strict(
    record: &str,
    value: &impl Strict,
    findings: &mut Findings,
    severity: fn(&str) -> Severity,
) {
    for Problem { pointer, message } in value.problems() {
        match severity(&pointer) {
            Severity::Refuse => findings.problem(format!("{record}{pointer}"), message),
            Severity::Remark => findings.lint(format!("{record}{pointer}"), message),
            Severity::Pass => {}
        }
    }
}

fn of_declaration(pointer: &str) -> Severity {
    match first_of(pointer) {
        "search_hint" | "tool_kind" | "external_mappings" => Severity::Remark,
        "schema_version" => Severity::Pass,
        "input_contract" if pointer == "/input_contract/model_input_schema" => Severity::Pass,
        _ => Severity::Refuse,
    }
}

fn of_interface(pointer: &str) -> Severity {
    match first_of(pointer) {
        "search_hint" | "external_mappings" => Severity::Remark,
        // Flags are read by `Safety`; what was inferred is for us to say.
        "schema_version"
        | "inferred_facts"
        | "is_enabled"
        | "is_read_only"
        | "is_concurrency_safe"
        | "is_destructive"
        | "is_open_world" => Severity::Pass,
        _ => Severity::Refuse,
    }
}

fn of_execution(pointer: &str) -> Severity {
    match first_of(pointer) {
        "execution_kind" | "external_mappings" => Severity::Remark,
        "timeout_ms" | "execution_profile_id" => Severity::Refuse,
        // A support that is not stated is not there; the exported record says so.
        _ => Severity::Pass,
    }
}

fn of_permission(pointer: &str) -> Severity {
    match pointer {
        "/write_effects" => Severity::Refuse,
        _ => match first_of(pointer) {
            "access_kinds" | "write_effects" => Severity::Remark,
            "schema_version" => Severity::Pass,
            _ => Severity::Refuse,
        },
    }
}

/// The field of the record itself.
fn first_of(pointer: &str) -> &str {
    let path = pointer.strip_prefix('/').unwrap_or(pointer);
    path.split('/').next().unwrap_or(path)
}

/// Records of other versions are read; what is exported is stamped with ours.
fn version(record: &str, version: &str, findings: &mut Findings) {
    let field = format!("{record}/schema_version");
    if version.is_empty() {
        findings.problem(field, "it must not be empty");
    } else if version != SCHEMA_VERSION {
        findings.lint(field, format!("it is exported as `{SCHEMA_VERSION}`"));
    }
}

/// Checks that the records refer to each other correctly.
fn references(definition: &ToolDefinition, findings: &mut Findings) {
    let (declaration, interface) = (&definition.declaration, &definition.interface);
    let mut same = |field: &str, stated: Option<&str>, actual: &str| {
        if stated.is_some_and(|stated| stated != actual) {
            findings.problem(field, "it is not what the other records of the tool say");
        }
    };
    let (tool, name) = (declaration.tool_id.as_str(), declaration.name.as_str());
    let execution = definition.execution.execution_profile_id.as_str();
    let permission = definition.permission.permission_profile_id.as_str();
    same("/interface/tool_id", Some(interface.tool_id.as_str()), tool);
    same("/interface/name", interface.name.as_ref().map(|name| name.as_str()), name);
    same(
        "/declaration/interface_ref",
        declaration.interface_ref.as_ref().map(|id| id.as_str()),
        interface.interface_id.as_str(),
    );
    for (field, stated) in [
        ("/declaration/execution_profile_ref", &declaration.execution_profile_ref),
        ("/interface/execution_profile_ref", &interface.execution_profile_ref),
    ] {
        same(field, stated.as_ref().map(|id| id.as_str()), execution);
    }
    for (field, stated) in [
        ("/declaration/permission_profile_ref", &declaration.permission_profile_ref),
        ("/interface/permission_profile_ref", &interface.permission_profile_ref),
    ] {
        same(field, stated.as_ref().map(|id| id.as_str()), permission);
    }
}
