//! Recommendations for a definition.

use assent_json::Pointer;
use assent_protocol::agent_tool::{
    AccessKind, Flag, FlagExpression, RiskLevel, SchemaVisibility, ToolKind, WriteEffect,
};

use super::{Findings, contract, schemas::Taken};
use crate::catalog::{ToolDefinition, shell};

pub(super) fn check(definition: &ToolDefinition, schemas: &Taken, findings: &mut Findings) {
    kind(definition, findings);
    capabilities(definition, findings);
    classifier_input(definition, findings);
    shell_facts(definition, findings);
    native_schema(definition, findings);
    sensitive_fields(definition, schemas, findings);
    if contract(definition).is_none() && schemas.texts.model.is_some() {
        let message = "the schema of the interface stands in for it";
        findings.lint("/declaration/input_contract", message);
    }
}

fn kind(definition: &ToolDefinition, findings: &mut Findings) {
    if definition.declaration.tool_kind == ToolKind::Custom {
        let message = "`custom` is for tools of no other kind: name what executes it";
        findings.lint("/declaration/tool_kind", message);
    }
}

/// Capabilities are what a tool can do, not where a product has a button for it.
fn capabilities(definition: &ToolDefinition, findings: &mut Findings) {
    let refs = definition.declaration.capability_refs.iter().flatten().enumerate();
    for (at, capability) in refs {
        let is_entry_point = capability.contains("://")
            || capability.starts_with(['/', '~', '.'])
            || capability.contains(char::is_whitespace)
            || capability.contains('?');
        if is_entry_point {
            let message = "it should name a capability, not a place in a product";
            findings.lint(format!("/declaration/capability_refs/{at}"), message);
        }
    }
}

/// A classifier without input would give the same answer for every call.
fn classifier_input(definition: &ToolDefinition, findings: &mut Findings) {
    const FIELD: &str = "/interface/classifier_input";
    let interface = &definition.interface;
    if interface.classifier_input.is_some() {
        return;
    }
    let flags = [
        &interface.is_enabled,
        &interface.is_read_only,
        &interface.is_concurrency_safe,
        &interface.is_destructive,
        &interface.is_open_world,
    ];
    let asks = |flag: &Flag| matches!(flag.expression(), Some(FlagExpression::Classifier(_)));
    if flags.into_iter().flatten().any(asks) {
        findings.problem(FIELD, "a fact is left to a classifier: say what it should look at");
    } else if is_security_relevant(definition) {
        findings.lint(FIELD, "say what a classifier of this tool should look at");
    }
}

fn is_security_relevant(definition: &ToolDefinition) -> bool {
    let profile = &definition.permission;
    let kind = matches!(
        definition.declaration.tool_kind.known(),
        Some(ToolKind::ShellCommand | ToolKind::CodeExecution | ToolKind::BrowserAction)
    );
    let reaches = profile.access_kinds.iter().flatten().any(|kind| {
        matches!(
            kind.known(),
            Some(
                AccessKind::CodeExecution
                    | AccessKind::Payment
                    | AccessKind::ExternalSend
                    | AccessKind::Credential
            )
        )
    });
    let harms =
        profile.write_effects.iter().flatten().any(|effect| *effect == WriteEffect::Irreversible);
    kind || reaches || harms || profile.risk_level >= RiskLevel::High
}

/// A tool that runs commands should state how they are parsed, where they start and what they inherit.
fn shell_facts(definition: &ToolDefinition, findings: &mut Findings) {
    for fact in shell::unstated(definition) {
        let message = "a tool that runs commands should state it";
        findings.lint(format!("/execution/{fact}"), message);
    }
}

/// A schema that stays with its native protocol has to be findable there.
fn native_schema(definition: &ToolDefinition, findings: &mut Findings) {
    let is_native = definition.interface.schema_visibility == Some(SchemaVisibility::NativeRef);
    let declared = definition.declaration.external_mappings.as_ref();
    let mappings = declared.or(definition.interface.external_mappings.as_ref());
    if is_native && mappings.is_none_or(Vec::is_empty) {
        let message = "a native schema needs a mapping that says where it is";
        findings.lint("/interface/schema_visibility", message);
    }
}

/// A misspelt sensitive field hides nothing.
fn sensitive_fields(definition: &ToolDefinition, schemas: &Taken, findings: &mut Findings) {
    let stated = contract(definition).and_then(|contract| contract.sensitive_fields.as_ref());
    for (at, field) in stated.into_iter().flatten().enumerate() {
        let name = match field.starts_with('/') {
            true => Pointer::tokens(field).last().unwrap_or_default(),
            false => field.clone(),
        };
        let is_place = name == "*" || name.parse::<usize>().is_ok();
        if !is_place && !schemas.properties.contains(&name) {
            let message = "no schema describes a field of that name";
            findings.lint(format!("/declaration/input_contract/sensitive_fields/{at}"), message);
        }
    }
}
