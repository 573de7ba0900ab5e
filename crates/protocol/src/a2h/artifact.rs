//! Where a message keeps the fields of a tool call or answer. Three places are published:
//!
//! * `artifact: {subtype, …}`, the one that is written;
//! * `artifact: {artifact_id, subtype, payload: {…}}`;
//! * `payload: {ref_artifact_subtype, …}`, for answers.

use assent_ids::CallId;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Why a message holds no tool call or answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArtifactError {
    /// It is another kind of message.
    #[error("the message holds no artifact of the subtype `{0}`")]
    OtherSubtype(&'static str),
    /// It says two things at once; two readers could understand it differently.
    #[error("the artifact has fields both of its own and under `payload`")]
    Ambiguous,
    /// A field is missing or wrong.
    #[error("the `{subtype}` is malformed: {source}")]
    Malformed {
        /// What it should be.
        subtype: &'static str,
        /// The call it speaks of, if that can be read: then it can be answered.
        call_id: Option<CallId>,
        /// What is wrong.
        source: serde_json::Error,
    },
}

/// The artifact with this subtype, wherever the message keeps its fields.
pub(super) fn read<Body: DeserializeOwned>(
    message: Value,
    subtype: &'static str,
) -> Result<Body, ArtifactError> {
    let fields = fields(message, subtype)?;
    let call_id = fields.get("call_id").and_then(Value::as_str).and_then(|id| id.parse().ok());
    serde_json::from_value(Value::Object(fields)).map_err(|source| ArtifactError::Malformed {
        subtype,
        call_id,
        source,
    })
}

fn fields(message: Value, subtype: &'static str) -> Result<Map<String, Value>, ArtifactError> {
    let other = || ArtifactError::OtherSubtype(subtype);
    let Value::Object(mut message) = message else { return Err(other()) };
    match (message.remove("artifact"), message.remove("payload")) {
        (Some(Value::Object(artifact)), None) => nested(artifact, subtype),
        (None, Some(Value::Object(mut payload))) => {
            let named = payload.remove("ref_artifact_subtype");
            if named.as_ref().and_then(Value::as_str) == Some(subtype) {
                Ok(payload)
            } else {
                Err(other())
            }
        }
        (Some(Value::Object(_)), Some(_)) => Err(ArtifactError::Ambiguous),
        _ => Err(other()),
    }
}

fn nested(
    mut artifact: Map<String, Value>,
    subtype: &'static str,
) -> Result<Map<String, Value>, ArtifactError> {
    if artifact.remove("subtype").as_ref().and_then(Value::as_str) != Some(subtype) {
        return Err(ArtifactError::OtherSubtype(subtype));
    }
    let flat = artifact.contains_key("call_id");
    match artifact.get_mut("payload") {
        Some(Value::Object(payload)) if !flat => {
            let mut payload = std::mem::take(payload);
            if !payload.contains_key("call_id") {
                // The artifact is named after the call.
                payload.extend(artifact.remove("artifact_id").map(|id| ("call_id".to_owned(), id)));
            }
            Ok(payload)
        }
        Some(Value::Object(_)) => Err(ArtifactError::Ambiguous),
        _ => Ok(artifact),
    }
}
