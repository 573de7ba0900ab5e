//! Replies of routes: `{"data": …}`.

use assent_protocol::a2h::Page;
use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, header::CONTENT_TYPE};
use serde::Serialize;

use crate::error::ConsoleError;

/// What a route replies with.
pub(crate) struct Data<T>(pub(crate) T);

/// A part of a list that a route replies with.
pub(crate) struct PageOf<T>(pub(crate) Page<T>);

#[derive(Serialize)]
struct Envelope<'a, T> {
    data: &'a T,
}

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        write(&Envelope { data: &self.0 })
    }
}

impl<T: Serialize> IntoResponse for PageOf<T> {
    fn into_response(self) -> Response {
        write(&self.0)
    }
}

fn write(reply: &impl Serialize) -> Response {
    match serde_json::to_vec(reply) {
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
