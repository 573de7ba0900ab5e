//! The envelope of every failed answer of the HTTP interface.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ApiCode;
use crate::wire::{Object, Open};

/// `{"error":{…}}`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorEnvelope {
    /// What went wrong.
    pub error: ApiError,
}

/// What went wrong, for programs and for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ApiError {
    /// The code; stable.
    pub code: Open<ApiCode>,
    /// What happened, in English, for developers.
    pub message: String,
    /// The key of the text for people.
    pub i18n_key: String,
    /// What the text is filled with; also `pointer` and `retry_after`.
    #[serde(default)]
    pub params: Object,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ApiError {
    /// An error without parameters.
    #[must_use]
    pub fn new(code: ApiCode, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            i18n_key: code.i18n_key(),
            params: Object::new(),
            extra: Object::new(),
        }
    }

    /// With a parameter for the text.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.params.insert(name.into(), value.into());
        self
    }

    /// With the place of the fault in the request, a JSON Pointer.
    #[must_use]
    pub fn at(self, pointer: impl Into<String>) -> Self {
        self.with("pointer", pointer.into())
    }

    /// With the seconds after which to try again; the same number goes into `Retry-After`.
    #[must_use]
    pub fn retry_after(self, seconds: u64) -> Self {
        self.with("retry_after", seconds)
    }

    /// The envelope around it.
    #[must_use]
    pub fn envelope(self) -> ErrorEnvelope {
        ErrorEnvelope { error: self }
    }
}
