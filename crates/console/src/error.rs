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

/// Why a route refuses a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConsoleError {
    status: StatusCode,
    error: ApiError,
}

impl ConsoleError {
    /// An error with a code of the console.
    pub(crate) fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        let mut error = ApiError::new(ApiCode::Conflict, message);
        error.code = Open::read(code);
        error.i18n_key = format!("error.{}", code.to_ascii_lowercase());
        Self { status, error }
    }

    pub(crate) fn conflict(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    pub(crate) fn unprocessable(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
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
            PromptError::AlreadyResolved => Self::conflict("ALREADY_RESOLVED", text),
            PromptError::ViewChanged => Self::conflict("VIEW_CHANGED", text),
            PromptError::TooEarly => Self::new(StatusCode::TOO_EARLY, "TOO_EARLY", text),
            PromptError::NotOffered => Self::unprocessable("NOT_OFFERED", text),
            PromptError::NotShown => Self::unprocessable("NOT_SHOWN", text),
            PromptError::AlreadyHeld => Self::conflict("ALREADY_HELD", text),
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
            DeviceError::Input(_) => Self::unprocessable("VALIDATION_FAILED", text),
            DeviceError::NoAccount => Self::conflict("NO_ACCOUNT", text),
            DeviceError::HasAccount => Self::conflict("HAS_ACCOUNT", text),
            DeviceError::DeviceExists => Self::conflict("DEVICE_EXISTS", text),
            DeviceError::NoRelay => {
                Self::unprocessable("VALIDATION_FAILED", text).with("pointer", "/relay")
            }
            DeviceError::OtherRelay(_) => Self::conflict("OTHER_RELAY", text),
            DeviceError::OtherAccount => Self::conflict("OTHER_ACCOUNT", text),
            DeviceError::ViewChanged => Self::conflict("VIEW_CHANGED", text),
            DeviceError::KeyMismatch => Self::conflict("KEY_MISMATCH", text),
            DeviceError::RelayMismatch(_) => Self::conflict("RELAY_MISMATCH", text),
            DeviceError::WrongNumber => Self::unprocessable("WRONG_NUMBER", text),
            DeviceError::KeysChanged => Self::conflict("KEYS_CHANGED", text),
            DeviceError::ReviewPending => Self::conflict("REVIEW_PENDING", text),
            DeviceError::UnknownReview => Self::not_found("review"),
            DeviceError::ChangePending => Self::conflict("CHANGE_PENDING", text),
            DeviceError::UnknownRelation => Self::not_found("relation"),
            DeviceError::RelationEnded => Self::conflict("RELATION_ENDED", text),
            DeviceError::UnusableAgent(_) => Self::conflict("UNUSABLE_AGENT", text),
            DeviceError::ManifestChanged => Self::conflict("MANIFEST_CHANGED", text),
            DeviceError::UnknownScope(_) => Self::unprocessable("UNKNOWN_SCOPE", text),
            DeviceError::UnknownConversation(_) => Self::not_found("conversation"),
            DeviceError::AgentAdded => Self::conflict("AGENT_ADDED", text),
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
                    return Self::new(StatusCode::BAD_GATEWAY, "RELAY_UNREACHABLE", text);
                };
                let status = match status {
                    StatusCode::UNAUTHORIZED => StatusCode::UNPROCESSABLE_ENTITY,
                    status if status.is_server_error() => StatusCode::BAD_GATEWAY,
                    status => status,
                };
                let mut error = Self::new(status, code.as_str(), message);
                error.error.params = params;
                error
            }
            ClientError::BaseUrl(_) => {
                Self::unprocessable("VALIDATION_FAILED", text).with("pointer", "/relay")
            }
            ClientError::Unreachable(_) => {
                Self::new(StatusCode::BAD_GATEWAY, "RELAY_UNREACHABLE", text)
            }
            error => {
                tracing::error!(%error, "a call of the relay failed");
                Self::new(StatusCode::BAD_GATEWAY, "RELAY_UNREACHABLE", text)
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

    use super::ConsoleError;

    #[test]
    fn codes_of_the_console_and_of_the_relay_have_their_status() {
        let own = ConsoleError::conflict("VIEW_CHANGED", "look at it again");
        assert_eq!(own.into_response().status(), 409);
        let shared = ConsoleError::from(ApiError::new(ApiCode::NotFound, "nothing"));
        assert_eq!(shared.into_response().status(), 404);
    }
}
