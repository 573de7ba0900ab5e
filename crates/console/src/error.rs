//! Errors of routes.

use assent_device::{DeviceError, PromptError};
use assent_http::{error_response, error_response_with};
use assent_protocol::{
    a2h::{ApiCode, ApiError},
    wire::Open,
};
use assent_relay_client::{ClientError, Refusal};
use axum::response::{IntoResponse, Response};
use http::StatusCode;

use crate::code::ConsoleCode;

/// Why a route refuses a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConsoleError {
    status: StatusCode,
    error: ApiError,
}

impl ConsoleError {
    /// An error with a code of the console.
    pub(crate) fn new(code: ConsoleCode, message: impl Into<String>) -> Self {
        Self::with_code(code.status(), code.as_str(), message)
    }

    /// An error with a code that the relay has as well.
    pub(crate) fn of(code: ApiCode, message: impl Into<String>) -> Self {
        ApiError::new(code, message).into()
    }

    /// A value of the request that breaks a rule.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::of(ApiCode::ValidationFailed, message)
    }

    fn with_code(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        let mut error = ApiError::new(ApiCode::Conflict, message);
        error.code = Open::read(code);
        error.i18n_key = format!("error.{}", code.to_ascii_lowercase());
        Self { status, error }
    }

    pub(crate) fn not_found(what: &str) -> Self {
        ApiError::new(ApiCode::NotFound, format!("there is no such {what}")).into()
    }

    /// A fault of this device; the log has the reason.
    pub(crate) fn internal() -> Self {
        let text = "the device could not do this; its log says why";
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            ..ApiError::new(ApiCode::StorageUnavailable, text).into()
        }
    }

    /// With a detail for the page.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<serde_json::Value>) -> Self {
        self.error = self.error.with(name, value);
        self
    }
}

impl From<ApiError> for ConsoleError {
    fn from(error: ApiError) -> Self {
        let status = error.code.known().map(|code| StatusCode::from_u16(code.http_status()));
        Self { status: status.and_then(Result::ok).unwrap_or(StatusCode::BAD_REQUEST), error }
    }
}

impl From<PromptError> for ConsoleError {
    fn from(error: PromptError) -> Self {
        let text = error.to_string();
        match error {
            PromptError::AlreadyResolved => Self::new(ConsoleCode::AlreadyResolved, text),
            PromptError::ViewChanged => Self::new(ConsoleCode::ViewChanged, text),
            PromptError::TooEarly => Self::new(ConsoleCode::TooEarly, text),
            PromptError::NotOffered => Self::new(ConsoleCode::NotOffered, text),
            PromptError::NotShown => Self::new(ConsoleCode::NotShown, text),
            PromptError::AlreadyHeld => Self::new(ConsoleCode::AlreadyHeld, text),
            error => {
                tracing::error!(%error, "an answer failed");
                Self::internal()
            }
        }
    }
}

impl From<DeviceError> for ConsoleError {
    fn from(error: DeviceError) -> Self {
        let text = error.to_string();
        match error {
            DeviceError::Relay(error) => error.into(),
            DeviceError::Input(_) => Self::invalid(text),
            DeviceError::NoAccount => Self::new(ConsoleCode::NoAccount, text),
            DeviceError::HasAccount => Self::new(ConsoleCode::HasAccount, text),
            DeviceError::DeviceExists => Self::new(ConsoleCode::DeviceExists, text),
            DeviceError::NoRelay => Self::invalid(text).with("pointer", "/relay"),
            DeviceError::OtherRelay(_) => Self::new(ConsoleCode::OtherRelay, text),
            DeviceError::OtherAccount => Self::new(ConsoleCode::OtherAccount, text),
            DeviceError::ViewChanged => Self::new(ConsoleCode::ViewChanged, text),
            DeviceError::KeyMismatch => Self::new(ConsoleCode::KeyMismatch, text),
            DeviceError::RelayMismatch(_) => Self::new(ConsoleCode::RelayMismatch, text),
            DeviceError::WrongNumber => Self::new(ConsoleCode::WrongNumber, text),
            DeviceError::KeysChanged => Self::new(ConsoleCode::KeysChanged, text),
            DeviceError::ReviewPending => Self::new(ConsoleCode::ReviewPending, text),
            DeviceError::UnknownReview => Self::not_found("review"),
            DeviceError::ChangePending => Self::new(ConsoleCode::ChangePending, text),
            DeviceError::UnknownRelation => Self::not_found("relation"),
            DeviceError::RelationEnded => Self::new(ConsoleCode::RelationEnded, text),
            DeviceError::UnusableAgent(_) => Self::new(ConsoleCode::UnusableAgent, text),
            DeviceError::ManifestChanged => Self::of(ApiCode::ManifestChanged, text),
            DeviceError::UnknownScope(_) => Self::of(ApiCode::UnknownScope, text),
            DeviceError::UnknownConversation(_) => Self::not_found("conversation"),
            DeviceError::AgentAdded => Self::new(ConsoleCode::AgentAdded, text),
            error => {
                tracing::error!(%error, "a request failed");
                Self::internal()
            }
        }
    }
}

impl From<ClientError> for ConsoleError {
    /// What the relay refuses has the relay's code. Its 401 is not one of the console.
    fn from(error: ClientError) -> Self {
        let text = error.to_string();
        match error {
            ClientError::Refused(refusal) => {
                let Refusal { status, code, message, params, .. } = *refusal;
                let Some(code) = code else {
                    return Self::new(ConsoleCode::RelayUnreachable, text);
                };
                let status = match status {
                    StatusCode::UNAUTHORIZED => StatusCode::UNPROCESSABLE_ENTITY,
                    status if status.is_server_error() => StatusCode::BAD_GATEWAY,
                    status => status,
                };
                let mut error = Self::with_code(status, code.as_str(), message);
                error.error.params = params;
                error
            }
            ClientError::BaseUrl(_) => Self::invalid(text).with("pointer", "/relay"),
            ClientError::Unreachable(_) => Self::new(ConsoleCode::RelayUnreachable, text),
            error => {
                tracing::error!(%error, "a call of the relay failed");
                Self::new(ConsoleCode::RelayUnreachable, text)
            }
        }
    }
}

impl IntoResponse for ConsoleError {
    fn into_response(self) -> Response {
        if self.error.code.known().is_some_and(|code| code.http_status() == self.status.as_u16()) {
            return error_response(self.error);
        }
        error_response_with(self.status, self.error)
    }
}

#[cfg(test)]
mod tests {
    use assent_protocol::a2h::{ApiCode, ApiError};
    use axum::response::IntoResponse as _;

    use super::{ConsoleCode, ConsoleError};

    #[test]
    fn codes_of_the_console_and_of_the_relay_have_their_status() {
        let own = ConsoleError::new(ConsoleCode::ViewChanged, "look at it again");
        assert_eq!(own.into_response().status(), 409);
        let shared = ConsoleError::from(ApiError::new(ApiCode::NotFound, "nothing"));
        assert_eq!(shared.into_response().status(), 404);
    }
}
