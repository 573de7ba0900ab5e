//! One exchange: a request gets an id, is checked and routed; its response gets headers and is reported.

use std::{convert::Infallible, pin::pin, sync::Arc};

use assent_protocol::a2h::{ApiCode, ApiError};
use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use http::{HeaderValue, Method, Request, StatusCode, Version, header::CONNECTION, request::Parts};
use hyper::body::{Body as _, Incoming};
use tokio::time::{Instant, timeout};
use tower_service::Service as _;

use crate::{
    Answered, App, Connection, Panicked, Server, catch_panic, error_response, head, request_id,
    unread::{MustClose, RequestBody},
};

/// Serves one request.
pub(crate) async fn exchange<A: App>(
    server: Arc<Server<A>>,
    request: Request<Incoming>,
    connection: Connection<A::Connection>,
) -> Result<Response, Infallible> {
    let record = Record::begin(Arc::clone(&server), &request);
    let (parts, body) = request.into_parts();
    let (is_http_1, must_close) = (parts.version < Version::HTTP_2, MustClose::default());
    let body = if is_http_1 && !body.is_end_stream() {
        Body::new(RequestBody::new(body, &parts.headers, must_close.clone()))
    } else {
        Body::new(body)
    };
    let outcome = {
        let response = pin!(respond(&server, parts, body, connection));
        timeout(server.limits.response, catch_panic(response)).await
    };
    let mut response = match outcome {
        Ok(Ok(response)) => response,
        Ok(Err(Panicked)) => {
            server.app.panicked();
            let text = "something went wrong on our side; it was recorded";
            error_response(ApiError::new(ApiCode::InternalError, text))
        }
        Err(_) => {
            let text = "this took too long; try again with the same ids";
            error_response(ApiError::new(ApiCode::StorageUnavailable, text).retry_after(1))
        }
    };
    let timed_out = response.status() == StatusCode::REQUEST_TIMEOUT;
    if is_http_1 && (must_close.get() || timed_out) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    record.end(&mut response);
    Ok(response)
}

async fn respond<A: App>(
    server: &Server<A>,
    mut parts: Parts,
    body: Body,
    connection: Connection<A::Connection>,
) -> Response {
    if let Err(error) = head::check(&mut parts, &server.limits) {
        return error_response(error);
    }
    if let Err(refused) = server.app.check(&mut parts, &connection) {
        return refused.into_response();
    }
    parts.extensions.insert(connection);
    match server.router.clone().call(Request::from_parts(parts, body)).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// What is known about a request from its start.
struct Record<A: App> {
    server: Arc<Server<A>>,
    id: HeaderValue,
    method: &'static str,
    began: Instant,
    answered: bool,
}

impl<A: App> Record<A> {
    fn begin(server: Arc<Server<A>>, request: &Request<Incoming>) -> Self {
        server.app.began();
        Self {
            id: request_id::of(request.headers(), server.app.minter()),
            method: word(request.method()),
            began: Instant::now(),
            answered: false,
            server,
        }
    }

    fn end(mut self, response: &mut Response) {
        self.answered = true;
        let request_id = self.id.to_str().unwrap_or_default();
        let answered = Answered { method: self.method, request_id, took: self.began.elapsed() };
        self.server.app.answered(&answered, response);
        let headers = response.headers_mut();
        for (name, value) in &self.server.headers {
            headers.insert(name, value.clone());
        }
        headers.insert(request_id::HEADER, self.id.clone());
    }
}

impl<A: App> Drop for Record<A> {
    fn drop(&mut self) {
        if !self.answered {
            self.server.app.abandoned();
        }
    }
}

/// The method as a word of ours, so that logs hold no text of clients.
const fn word(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
