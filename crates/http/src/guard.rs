//! Checks against pages of other origins, for [`App::check`](crate::App::check).

mod fetch_site;
mod hosts;
mod origins;

use assent_protocol::a2h::ApiError;
use axum::response::{IntoResponse, Response};
use http::StatusCode;

use crate::error_response;

pub use self::{
    fetch_site::{Target, check_fetch_site},
    hosts::AllowedHosts,
    origins::AllowedOrigins,
};

/// Why a request is refused before routing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The request has no `Host`, or several. The response has no body.
    BadRequest,
    /// The request names another host, or a page of another origin sends it. The response has no body.
    Forbidden,
    /// The response has this error.
    Error(Box<ApiError>),
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Self {
        Self::Error(Box::new(error))
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Self::BadRequest => StatusCode::BAD_REQUEST.into_response(),
            Self::Forbidden => StatusCode::FORBIDDEN.into_response(),
            Self::Error(error) => error_response(*error),
        }
    }
}
