//! What a door hands to the pipeline.

use std::sync::Arc;

use assent_ids::{InvocationId, NativeCallId};
use assent_json::{Json, ReadError};
use assent_protocol::agent_tool::ToolExternalMapping;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A call that somebody asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The sender's id for the call. Sent again with the same id, it is the same call: it runs once,
    /// and the sender gets the same result.
    pub invocation: Option<InvocationId>,
    /// The tool: a name, an alias, or `namespace/name`.
    pub tool: Arc<str>,
    /// What the model wrote.
    pub input: ModelInput,
    /// Who asks.
    pub actor: Option<Arc<str>>,
    /// The session it belongs to.
    pub session: Option<Arc<str>>,
    /// Its id in the protocol it came through.
    pub native_call_id: Option<NativeCallId>,
    /// Further native ids, kept as they are.
    pub mappings: Vec<ToolExternalMapping>,
    /// Calls that have to end first, of the same batch or not. If one does not succeed, or nobody knows
    /// any more whether it did, the `sibling_failure_policy` says whether this call still runs.
    pub depends_on: Vec<InvocationId>,
    /// The call that the model repeats with this one.
    pub retry_of: Option<InvocationId>,
    /// The trace it belongs to, as `traceparent` writes it.
    pub trace: Option<Arc<str>>,
}

impl Request {
    /// A call of `tool` with `input`.
    #[must_use]
    pub fn new(tool: impl Into<Arc<str>>, input: ModelInput) -> Self {
        Self {
            invocation: None,
            tool: tool.into(),
            input,
            actor: None,
            session: None,
            native_call_id: None,
            mappings: Vec::new(),
            depends_on: Vec::new(),
            retry_of: None,
            trace: None,
        }
    }
}

/// What the model wrote. It never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelInput {
    /// JSON.
    Json(Json),
    /// A text that is not; it is kept, and the call ends in its second stage.
    Unreadable {
        /// The text, as a JSON string.
        text: Json,
        /// Why it cannot be read.
        why: String,
    },
}

impl ModelInput {
    /// Reads what the model wrote.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        match Json::read(text) {
            Ok(json) => Self::Json(json),
            Err(error) => Self::unreadable(text, &error),
        }
    }

    /// Takes a value.
    #[must_use]
    pub fn from_value(value: &Value) -> Self {
        Self::from_text(&value.to_string())
    }

    fn unreadable(text: &str, error: &ReadError) -> Self {
        // A JSON string holds any text, so this reads unless the text is larger than a document may be.
        let quoted = Json::read(Value::from(text).to_string()).unwrap_or_else(|_| Json::null());
        Self::Unreadable { text: quoted, why: error.to_string() }
    }

    /// The value to record.
    #[must_use]
    pub fn recorded(&self) -> &Json {
        match self {
            Self::Json(json) | Self::Unreadable { text: json, .. } => json,
        }
    }
}
