//! Replies of routes: `{"data": …}`.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, header::CONTENT_TYPE};
use serde::Serialize;

use crate::error::ConsoleError;

/// What a route replies with.
pub(crate) struct Data<T>(pub(crate) T);

#[derive(Serialize)]
struct Envelope<'a, T> {
    data: &'a T,
}

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&Envelope { data: &self.0 }) {
            Ok(body) => {
                let mut response = Response::new(Body::from(body));
                let json = HeaderValue::from_static("application/json");
                response.headers_mut().insert(CONTENT_TYPE, json);
                response
            }
            Err(error) => {
                tracing::error!(%error, "a reply cannot be written");
                ConsoleError::internal().into_response()
            }
        }
    }
}
