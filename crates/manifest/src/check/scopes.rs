//! Permission scopes.

use std::collections::{BTreeMap, BTreeSet};

use assent_ids::ScopeId;
use assent_json::{Kind, Node, Pointer};
use assent_protocol::a2h::{PresetScope, Sensitivity};

use super::{CheckOptions, Findings, fields::Fields};
use crate::Code;

/// The scopes that a manifest declares, by id, with their places.
pub(super) type DeclaredScopes<'d> = BTreeMap<&'d str, Pointer>;

pub(super) fn check<'d>(
    manifest: &Fields<'d>,
    options: CheckOptions,
    findings: &mut Findings,
) -> DeclaredScopes<'d> {
    let mut declared = DeclaredScopes::new();
    let Some((list, path)) = manifest.required("permission_scopes", Kind::Array, findings) else {
        return declared;
    };
    for (index, entry) in list.elements().enumerate() {
        let path = path.index(index);
        if entry.kind() != Kind::Object {
            findings.wrong_type(&path, "an object", entry);
            continue;
        }
        if let Some((id, id_path)) = check_scope(entry, &path, options, findings)
            && declared.insert(id, path).is_some()
        {
            let message = format!("the scope `{id}` is declared twice");
            findings.error(Code::DuplicateScope, &id_path, message);
        }
    }
    declared
}

fn check_scope<'d>(
    entry: Node<'d>,
    path: &Pointer,
    options: CheckOptions,
    findings: &mut Findings,
) -> Option<(&'d str, Pointer)> {
    let fields = Fields::of(entry, path.clone());
    fields.known(
        &[
            "id",
            "label_i18n_key",
            "description_i18n_key",
            "label_fallback",
            "description_fallback",
            "sensitivity",
        ],
        findings,
    );
    let id = fields.required_text("id", findings);
    if let Some((id, path)) = &id {
        check_id(id, path, options, findings);
    }
    fields.required_text("label_i18n_key", findings);
    fields.optional("description_i18n_key", Kind::String, findings);
    check_sensitivity(&fields, findings);
    for fallback in ["label_fallback", "description_fallback"] {
        fields.optional(fallback, Kind::String, findings);
        let text = entry.get(fallback).and_then(|value| value.as_str()).unwrap_or_default();
        let wanted = id.as_ref().is_some_and(|(id, _)| id.parse::<PresetScope>().is_err());
        if wanted && text.trim().is_empty() {
            let message = format!(
                "clients have no texts for this scope; without `{fallback}` people see only its id"
            );
            findings.error_if_strict(Code::MissingFallback, &path.key(fallback), message);
        }
    }
    id
}

fn check_id(id: &str, path: &Pointer, options: CheckOptions, findings: &mut Findings) {
    match id.parse::<ScopeId>() {
        Err(_) => {
            let message = format!(
                "`{}` is not of the form `domain:action` in lower-case letters, digits and `_`",
                id.escape_debug()
            );
            findings.error(Code::BadScopeId, path, message);
        }
        Ok(id) if id.is_reserved() && !options.platform_owned => {
            let message =
                format!("scopes like `{id}` belong to the platform; choose another domain");
            findings.error(Code::ReservedScope, path, message);
        }
        Ok(_) => {}
    }
}

fn check_sensitivity(fields: &Fields<'_>, findings: &mut Findings) {
    if let Some((sensitivity, path)) = fields.required_text("sensitivity", findings)
        && sensitivity.parse::<Sensitivity>().is_err()
    {
        let message =
            format!("`{}` is none of `low`, `medium` and `high`", sensitivity.escape_debug());
        findings.error(Code::BadSensitivity, &path, message);
    }
}

/// Warns about scopes that no tool uses: people would be asked for nothing.
pub(super) fn check_use(
    declared: &DeclaredScopes<'_>,
    used: &BTreeSet<&str>,
    findings: &mut Findings,
) {
    for (id, path) in declared {
        if !used.contains(id) {
            let message =
                format!("no tool uses the scope `{id}`; remove it or let a tool ask for it");
            findings.warn(Code::UnusedScope, path, message);
        }
    }
}
