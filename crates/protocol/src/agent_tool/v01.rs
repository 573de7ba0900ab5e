//! Records of Agent Tool 0.1, read as records of 0.2.0.
//!
//! What changed: an invocation's `arguments` became `model_input`, an input contract's `schema` became
//! `model_input_schema`, and the approval events became permission events. States, error classes and
//! all other fields of 0.1 exist unchanged in 0.2.0.

use assent_ids::{Lax, MutationId};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{MutationSource, Record, RecordKind, SCHEMA_VERSION, ToolInputMutation};
use crate::wire::Timestamp;

/// A record after the upgrade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upgraded {
    /// The record as 0.2.0 has it.
    pub record: Value,
    /// That the input of a call got another name, if it did.
    pub mutation: Option<ToolInputMutation>,
}

/// What no upgrade helps.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UpgradeError {
    /// It is no JSON object.
    #[error("a record is a JSON object")]
    NotAnObject,
    /// It has both the old and the new name of a field.
    #[error("the record has both `{old}` and `{new}`")]
    BothNames {
        /// The name in 0.1.
        old: &'static str,
        /// The name in 0.2.0.
        new: &'static str,
    },
    /// It is not what it should be, even after the upgrade.
    #[error("the record does not follow the standard: {0}")]
    Invalid(#[from] serde_json::Error),
}

/// Whether a record is of version 0.1. The first examples of the standard name no version at all.
#[must_use]
pub fn is_v01(record: &Map<String, Value>) -> bool {
    match record.get("schema_version") {
        Some(Value::String(version)) => version == "0.1" || version.starts_with("0.1."),
        Some(_) => false,
        None => true,
    }
}

/// Brings a record to 0.2.0; one that is not of version 0.1 stays as it is. `mutation_id` and `now`
/// go into the mutation record, should one be needed.
///
/// # Errors
/// If the record is no object, or has a field under both names.
pub fn upgrade(
    kind: RecordKind,
    record: Value,
    mutation_id: MutationId,
    now: Timestamp,
) -> Result<Upgraded, UpgradeError> {
    let Value::Object(mut fields) = record else { return Err(UpgradeError::NotAnObject) };
    let mut mutation = None;
    if kind == RecordKind::ToolInputContract {
        // It has no version of its own: the old name alone tells.
        if !fields.contains_key("model_input_schema") {
            rename(&mut fields, "schema", "model_input_schema")?;
        }
    } else if kind.is_versioned() && is_v01(&fields) {
        fields.insert("schema_version".to_owned(), SCHEMA_VERSION.into());
        mutation = rename_fields(kind, &mut fields, mutation_id, now)?;
    }
    Ok(Upgraded { record: Value::Object(fields), mutation })
}

/// Reads a record of either version.
///
/// # Errors
/// As [`upgrade`], or if the result is no record of that kind.
pub fn read<T: Record + DeserializeOwned>(
    record: Value,
    mutation_id: MutationId,
    now: Timestamp,
) -> Result<(T, Option<ToolInputMutation>), UpgradeError> {
    let upgraded = upgrade(T::KIND, record, mutation_id, now)?;
    Ok((serde_json::from_value(upgraded.record)?, upgraded.mutation))
}

fn rename_fields(
    kind: RecordKind,
    fields: &mut Map<String, Value>,
    mutation_id: MutationId,
    now: Timestamp,
) -> Result<Option<ToolInputMutation>, UpgradeError> {
    if kind == RecordKind::ToolInvocation {
        return invocation(fields, mutation_id, now);
    }
    if kind == RecordKind::ToolEvent {
        event(fields);
    }
    if let (RecordKind::ToolDeclaration, Some(Value::Object(contract))) =
        (kind, fields.get_mut("input_contract"))
    {
        rename(contract, "schema", "model_input_schema")?;
    }
    Ok(None)
}

fn invocation(
    fields: &mut Map<String, Value>,
    mutation_id: MutationId,
    now: Timestamp,
) -> Result<Option<ToolInputMutation>, UpgradeError> {
    let inline = rename(fields, "arguments", "model_input")?;
    let by_ref = rename(fields, "arguments_ref", "model_input_ref")?;
    if !inline && !by_ref {
        return Ok(None);
    }
    let invocation_id: Lax<_> = serde_json::from_value(
        fields.get("invocation_id").cloned().unwrap_or_else(|| Value::String(String::new())),
    )?;
    let mut mutation =
        ToolInputMutation::new(mutation_id, invocation_id, MutationSource::Migration, now);
    mutation.source_ref = Some("agent-tool-0.1".to_owned());
    let (from, to) =
        if inline { ("arguments", "model_input") } else { ("arguments_ref", "model_input_ref") };
    mutation.from_input_ref = Some(from.to_owned());
    mutation.to_input_ref = Some(to.to_owned());
    // The value moved as a whole; nothing inside it changed.
    mutation.changed_fields = Some(Vec::new());
    mutation.reason = Some(format!("`{from}` is called `{to}` since 0.2.0"));
    Ok(Some(mutation))
}

fn event(fields: &mut Map<String, Value>) {
    let Some(Value::String(class)) = fields.get_mut("event_type") else { return };
    match class.as_str() {
        "tool.invocation.approval_requested" => "tool.permission.requested".clone_into(class),
        "tool.invocation.approved" => "tool.permission.decided".clone_into(class),
        _ => {}
    }
}

/// Whether there was something to rename.
fn rename(
    fields: &mut Map<String, Value>,
    old: &'static str,
    new: &'static str,
) -> Result<bool, UpgradeError> {
    if fields.contains_key(old) && fields.contains_key(new) {
        return Err(UpgradeError::BothNames { old, new });
    }
    let Some(value) = fields.remove(old) else { return Ok(false) };
    fields.insert(new.to_owned(), value);
    Ok(true)
}
