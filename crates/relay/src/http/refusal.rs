//! Why a request is not served.

use assent_protocol::a2h::{ApiCode, ApiError};
use assent_store::StoreError;

/// Why a request was refused, as the caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(Box<ApiError>);

impl Refusal {
    pub(crate) fn new(code: ApiCode, message: impl Into<String>) -> Self {
        ApiError::new(code, message).into()
    }

    /// `what` is not there, or the caller may not know that it is.
    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(ApiCode::NotFound, format!("there is no such {what}"))
    }

    pub(crate) fn forbidden(why: &str) -> Self {
        Self::new(ApiCode::Forbidden, why)
    }

    /// The request is well-formed but breaks a rule; `pointer` says where.
    pub(crate) fn invalid(pointer: &str, why: impl Into<String>) -> Self {
        ApiError::new(ApiCode::ValidationFailed, why).at(pointer).into()
    }

    pub(crate) fn unauthenticated(why: &str) -> Self {
        Self::new(ApiCode::Unauthenticated, why)
    }

    /// The operation may still succeed: a repetition with the same ids returns its outcome.
    pub(crate) fn too_slow() -> Self {
        let text = "this took too long; try again with the same ids";
        ApiError::new(ApiCode::StorageUnavailable, text).retry_after(1).into()
    }

    /// The program is wrong, and the caller cannot help it.
    pub(crate) fn fault() -> Self {
        Self::new(ApiCode::InternalError, "something went wrong on our side; it was recorded")
    }

    pub(crate) const fn error(&self) -> &ApiError {
        &self.0
    }

    pub(crate) fn into_error(self) -> ApiError {
        *self.0
    }

    /// The code, which is always one of ours.
    pub(crate) fn code(&self) -> ApiCode {
        self.0.code.known().unwrap_or(ApiCode::InternalError)
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self(Box::new(error))
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        if error.is_temporary() {
            tracing::warn!(%error, "storage");
            let text = "the storage is not available at the moment; try again with the same ids";
            return ApiError::new(ApiCode::StorageUnavailable, text).retry_after(1).into();
        }
        // A statement was refused.
        tracing::error!(%error, "storage");
        Self::fault()
    }
}
