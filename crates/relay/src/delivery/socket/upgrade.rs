//! From a request to a socket.

use std::sync::Arc;

use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    Operation,
    operations::delivery::{ConnectAgent, ConnectHuman},
    read::read_query,
};
use assent_websocket::accept_key;
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::Response,
    routing::get,
};
use http::{
    HeaderMap, HeaderValue, Method, StatusCode, Version,
    header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE},
};
use hyper_util::{rt::TokioIo, server::conn::auto::upgrade};
use tokio::net::TcpStream;

use super::{SocketRole, reader::SocketReader, serve, writer::SocketWriter};
use crate::{
    http::{Refusal, RelayConnection, Served, refused},
    state::Relay,
};

/// Adds the paths for people and for agents.
pub(crate) fn routes(router: Router<Arc<Relay>>) -> Router<Arc<Relay>> {
    let human = |State(relay): State<Arc<Relay>>, request: Request| async move {
        open(relay, ConnectHuman::ID, Ok(SocketRole::Human), request)
    };
    let agent = |State(relay): State<Arc<Relay>>, request: Request| async move {
        let query = read_query(request.uri().query().unwrap_or_default());
        let role = query
            .map(|query: <ConnectAgent as Operation>::Query| SocketRole::Agent(query.agent_id));
        open(relay, ConnectAgent::ID, role.map_err(Into::into), request)
    };
    router.route(ConnectHuman::PATH, get(human)).route(ConnectAgent::PATH, get(agent))
}

fn open(
    relay: Arc<Relay>,
    operation: &'static str,
    role: Result<SocketRole, Refusal>,
    request: Request,
) -> Response {
    let opened = role.and_then(|role| accept(relay, role, request));
    let mut response = opened.unwrap_or_else(refused);
    response.extensions_mut().insert(Served { operation, caller: None });
    response
}

fn accept(relay: Arc<Relay>, role: SocketRole, mut request: Request) -> Result<Response, Refusal> {
    let key = handshake(&request)?;
    let accept = HeaderValue::from_str(&accept_key(key.as_bytes()));
    let accept = accept.map_err(|_| not_a_socket())?;
    let connection = request.extensions().get::<RelayConnection>().cloned();
    let connection = connection.ok_or_else(not_a_socket)?;
    let upgrading = hyper::upgrade::on(&mut request);
    let tasks = relay.tasks.clone();
    tasks.spawn(async move {
        let Ok(upgraded) = upgrading.await else { return };
        let Ok(parts) = upgrade::downcast::<TokioIo<TcpStream>>(upgraded) else { return };
        let (read_half, write_half) = parts.io.into_inner().into_split();
        let reader = SocketReader::new(read_half, &parts.read_buf);
        serve(relay, (reader, SocketWriter::new(write_half)), role, connection).await;
    });
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
    Ok(response)
}

/// The key of a client whose request is a valid WebSocket handshake.
fn handshake(request: &Request) -> Result<HeaderValue, Refusal> {
    let headers = request.headers();
    let is_handshake = request.method() == Method::GET
        && request.version() == Version::HTTP_11
        && has_word(headers, CONNECTION, "upgrade")
        && has_word(headers, UPGRADE, "websocket")
        && headers.get(SEC_WEBSOCKET_VERSION).is_some_and(|version| version == "13");
    headers.get(SEC_WEBSOCKET_KEY).filter(|_| is_handshake).cloned().ok_or_else(not_a_socket)
}

fn has_word(headers: &HeaderMap, name: http::HeaderName, word: &str) -> bool {
    let values = headers.get_all(name);
    let words = values.iter().filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(','));
    words.map(str::trim).any(|found| found.eq_ignore_ascii_case(word))
}

fn not_a_socket() -> Refusal {
    let text = "this path takes WebSocket connections of version 13, over HTTP/1.1";
    Refusal::new(ApiCode::BadRequest, text)
}
