//! Tools.

use std::collections::BTreeSet;

use assent_ids::ToolName;
use assent_json::{Kind, Node, Pointer};
use assent_schema::CompileBudget;

use super::{
    Findings,
    fields::Fields,
    input_schema,
    scopes::{self, DeclaredScopes},
};
use crate::Code;

/// A tool may run this long at most: ten minutes.
const MAX_TIMEOUT_MS: u64 = 600_000;

pub(super) fn check(manifest: &Fields<'_>, declared: &DeclaredScopes<'_>, findings: &mut Findings) {
    let Some((list, path)) = manifest.required("tools", Kind::Array, findings) else { return };
    let mut names = BTreeSet::new();
    let mut used = BTreeSet::new();
    let mut budget = CompileBudget::default();
    for (index, entry) in list.elements().enumerate() {
        let path = path.index(index);
        if entry.kind() != Kind::Object {
            findings.wrong_type(&path, "an object", entry);
            continue;
        }
        let fields = Fields::of(entry, path);
        check_fields(&fields, findings);
        check_name(&fields, &mut names, findings);
        used.extend(check_scope(&fields, declared, findings));
        input_schema::check(&fields, &mut budget, findings);
    }
    scopes::check_use(declared, &used, findings);
}

fn check_fields(fields: &Fields<'_>, findings: &mut Findings) {
    fields.known(
        &[
            "name",
            "description_i18n_key",
            "description_fallback",
            "input_schema",
            "permission_scope",
            "required",
            "timeout_ms",
        ],
        findings,
    );
    fields.required_text("description_i18n_key", findings);
    fields.optional("description_fallback", Kind::String, findings);
    fields.optional("required", Kind::Boolean, findings);
    if let Some((timeout, path)) = fields.optional("timeout_ms", Kind::Number, findings) {
        check_timeout(timeout, &path, findings);
    }
}

fn check_timeout(timeout: Node<'_>, path: &Pointer, findings: &mut Findings) {
    let milliseconds = timeout.as_number().and_then(|number| number.as_u64());
    if !milliseconds.is_some_and(|value| (1..=MAX_TIMEOUT_MS).contains(&value)) {
        let message = format!("must be a whole number of milliseconds from 1 to {MAX_TIMEOUT_MS}");
        findings.error(Code::BadTimeout, path, message);
    }
}

fn check_name<'d>(fields: &Fields<'d>, names: &mut BTreeSet<&'d str>, findings: &mut Findings) {
    let Some((name, path)) = fields.required_text("name", findings) else { return };
    if name.parse::<ToolName>().is_err() {
        let message = format!(
            "`{}` must be 2 to 32 lower-case letters, digits and `_`, beginning with a letter",
            name.escape_debug()
        );
        findings.error(Code::BadToolName, &path, message);
    }
    if !names.insert(name) {
        let message = format!("another tool is called `{}` already", name.escape_debug());
        findings.error(Code::DuplicateTool, &path, message);
    }
}

fn check_scope<'d>(
    fields: &Fields<'d>,
    declared: &DeclaredScopes<'_>,
    findings: &mut Findings,
) -> Option<&'d str> {
    let (scope, path) = fields.required_text("permission_scope", findings)?;
    if !declared.contains_key(scope) {
        let message = format!(
            "the scope `{}` is not in `permission_scopes`; declare it there",
            scope.escape_debug()
        );
        findings.error(Code::UnknownScope, &path, message);
    }
    Some(scope)
}
