//! Why a call has no reply, and what to do about it.

use std::{fmt, time::Duration};

use assent_json::{shorten, visible};
use assent_outbound::CallError;
use assent_protocol::{
    a2h::{ApiCode, ApiError, ErrorEnvelope},
    wire::{Object, Open},
};
use assent_relay_api::write::WriteError;
use http::{HeaderMap, StatusCode, header::RETRY_AFTER};
use serde_json::Value;

use crate::{BaseUrlError, advice::advice};

/// The longest part of an answer that is shown, in characters.
const MAX_SHOWN: usize = 200;

/// Why a call has no reply.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address is no address of a relay.
    #[error(transparent)]
    BaseUrl(#[from] BaseUrlError),
    /// The client cannot be set up.
    #[error(transparent)]
    Setup(#[from] assent_outbound::ClientError),
    /// The token is not one that a header can hold.
    #[error("the token holds characters that no token has; was it copied whole?")]
    Token,
    /// The request cannot be written.
    #[error(transparent)]
    Request(#[from] WriteError),
    /// The relay cannot be reached.
    #[error("the relay cannot be reached: {0}")]
    Unreachable(CallError),
    /// The admin socket cannot be used.
    #[error("the admin socket `{path}` does not answer: {reason}")]
    AdminSocket {
        /// Where it should be.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// The relay refuses.
    #[error(transparent)]
    Refused(Box<Refusal>),
    /// The answer is longer than allowed.
    #[error("the answer is longer than {0} bytes; ask for fewer entries")]
    TooLarge(usize),
    /// The answer is not one of this operation.
    #[error("the answer to `{operation}` is not understood: {reason}")]
    Answer {
        /// The operation.
        operation: &'static str,
        /// What is wrong.
        reason: String,
    },
}

/// What the relay says when it refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Refusal {
    /// The status.
    pub status: StatusCode,
    /// The code; `None` if what answered is not a relay.
    pub code: Option<Open<ApiCode>>,
    /// What happened, in English.
    pub message: String,
    /// Which part of the request it is about, as a JSON Pointer.
    pub pointer: Option<String>,
    /// After how long to try again.
    pub retry_after: Option<Duration>,
    /// What else the relay says.
    pub params: Object,
}

impl ClientError {
    /// The code with which the relay refused.
    #[must_use]
    pub fn code(&self) -> Option<ApiCode> {
        match self {
            Self::Refused(refusal) => refusal.code.as_ref()?.known(),
            _ => None,
        }
    }
}

impl Refusal {
    /// Reads an answer that is none of success. Whatever it is, there is something to say about it.
    pub(crate) fn read(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Self {
        let header = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let Ok(ErrorEnvelope { error }) = serde_json::from_slice(body) else {
            let shown = visible(&shorten(&String::from_utf8_lossy(body), MAX_SHOWN));
            return Self {
                status,
                code: None,
                message: format!("what answered does not speak like a relay: {shown}"),
                pointer: None,
                retry_after: header.map(Duration::from_secs),
                params: Object::new(),
            };
        };
        let seconds = retry_after(&error).or(header);
        let retry_after = seconds.map(Duration::from_secs);
        Self { retry_after, ..Self::of_error(status, error) }
    }

    /// What an error on a socket says.
    pub(crate) fn of_frame(error: ApiError) -> Self {
        let status = error.code.known().map(|code| StatusCode::from_u16(code.http_status()));
        Self::of_error(status.and_then(Result::ok).unwrap_or(StatusCode::BAD_REQUEST), error)
    }

    fn of_error(status: StatusCode, error: ApiError) -> Self {
        let pointer = error.params.get("pointer").and_then(Value::as_str);
        Self {
            status,
            pointer: pointer.filter(|pointer| !pointer.is_empty()).map(str::to_owned),
            retry_after: retry_after(&error).map(Duration::from_secs),
            code: Some(error.code),
            message: visible(&error.message),
            params: error.params,
        }
    }

    /// What to do about it, in a sentence.
    #[must_use]
    pub fn advice(&self) -> Option<&'static str> {
        self.code.as_ref()?.known().map(advice)
    }
}

fn retry_after(error: &ApiError) -> Option<u64> {
    error.params.get("retry_after").and_then(Value::as_u64)
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.code {
            Some(code) => write!(f, "{code}: {}", self.message)?,
            None => write!(f, "status {}: {}", self.status.as_u16(), self.message)?,
        }
        if let Some(pointer) = &self.pointer {
            write!(f, " (at `{}`)", visible(pointer))?;
        }
        if let Some(wait) = self.retry_after {
            write!(f, "; try again in {} s", wait.as_secs())?;
        }
        Ok(())
    }
}
