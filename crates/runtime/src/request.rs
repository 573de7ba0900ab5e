//! A request for a call.

use std::{sync::Arc, time::Duration};

use assent_ids::{InvocationId, NativeCallId};
use assent_json::{Json, ReadError};
use assent_protocol::agent_tool::ToolExternalMapping;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A requested call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The sender's id for the call. A request with the same id is the same call: it runs once, and every
    /// sender gets the same result.
    pub invocation: Option<InvocationId>,
    /// The tool: a name, an alias, or `namespace/name`.
    pub tool: Arc<str>,
    /// What the model wrote.
    pub input: ModelInput,
    /// The actor that requests the call.
    pub actor: Option<Arc<str>>,
    /// The session of the call.
    pub session: Option<Arc<str>>,
    /// The id of the call in the protocol it came through.
    pub native_call_id: Option<NativeCallId>,
    /// Further native ids, recorded unchanged.
    pub mappings: Vec<ToolExternalMapping>,
    /// Calls that have to end first, in the same batch or not. If one does not succeed, or its outcome is
    /// unknown, the `sibling_failure_policy` determines whether this call still runs.
    pub depends_on: Vec<InvocationId>,
    /// The earlier call that this one repeats.
    pub retry_of: Option<InvocationId>,
    /// The trace of the call, in the format of `traceparent`.
    pub trace: Option<Arc<str>>,
    /// The longest time that the tool may take. The smaller one of this and the timeout of the tool applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
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
            timeout: None,
        }
    }
}

/// The input that the model wrote. It never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelInput {
    /// JSON.
    Json(Json),
    /// A text that is not JSON. It is recorded, and the call ends when it is parsed.
    Unreadable {
        /// The text, as a JSON string.
        text: Json,
        /// Why it is not JSON.
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

    /// The input with this value.
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
