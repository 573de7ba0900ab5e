//! One request: read, authenticated, served, answered.

use std::{
    any::TypeId,
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::Duration,
};

use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::{
    Credential, Operation,
    read::{read_body, read_optional_body, read_path, read_query},
};
use axum::{
    body::Body,
    extract::{FromRequestParts as _, RawPathParams, Request},
    response::Response,
};
use bytes::Bytes;
use http::{HeaderMap, header::CONTENT_TYPE, request::Parts};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::time::timeout;

use super::{
    Peer,
    authenticate::authenticate,
    caught::{Panicked, caught},
    exchange::Served,
    respond,
};
use crate::{
    caller::Caller,
    operations::{Call, Serve},
    refusal::Refusal,
    relay::Relay,
};

/// Serves one request of operation `O`: in bounded time, and whatever the operation does.
pub(super) async fn serve<O: Serve>(relay: Arc<Relay>, request: Request) -> Response {
    let mut caller = None;
    let answer = answer::<O>(&relay, request, &mut caller);
    let outcome = match timeout(patience::<O>(&relay), caught(answer)).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(Panicked)) => {
            relay.metrics.panics.add(1);
            tracing::error!(operation = O::ID, "an operation panicked");
            Err(Refusal::fault())
        }
        Err(_) => Err(too_slow()),
    };
    let mut response = outcome.unwrap_or_else(respond::refused);
    response.extensions_mut().insert(Served { operation: O::ID, caller });
    response
}

async fn answer<O: Serve>(
    relay: &Arc<Relay>,
    request: Request,
    known: &mut Option<Caller>,
) -> Result<Response, Refusal> {
    let (mut parts, body) = request.into_parts();
    // Strangers are turned away before anything of theirs is read.
    let caller = authenticate(relay, O::ACCESS.credential, &parts.headers).await?;
    *known = Some(caller.clone());
    let path = path::<O>(&mut parts).await?;
    let query = read_query(parts.uri.query().unwrap_or_default())?;
    let body = body_of::<O>(&parts.headers, body, relay.settings.limits.body).await?;
    let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let peer = parts.extensions.get::<Peer>().map_or(here, |peer| peer.0);
    let call = Call { caller, path, query, body, headers: parts.headers, peer };
    let answer = O::serve(relay, call).await?;
    respond::answered(answer)
}

/// How long a request may take. Operators know how long their work takes.
fn patience<O: Operation>(relay: &Relay) -> Duration {
    match O::ACCESS.credential {
        Credential::AdminSocket => Duration::MAX,
        _ => relay.settings.limits.request,
    }
}

/// What was begun may still be done: whoever repeats it under the same ids learns how it ended.
fn too_slow() -> Refusal {
    let text = "this took too long; try again with the same ids";
    ApiError::new(ApiCode::StorageUnavailable, text).retry_after(1).into()
}

async fn path<O: Operation>(parts: &mut Parts) -> Result<O::Path, Refusal> {
    let params = RawPathParams::from_request_parts(parts, &()).await;
    let params = params.map_err(|_| Refusal::not_found("path"))?;
    Ok(read_path(params.iter())?)
}

/// What stands in the body. An operation that takes none does not look at any.
async fn body_of<O: Operation>(
    headers: &HeaderMap,
    body: Body,
    patience: Duration,
) -> Result<O::Body, Refusal> {
    if TypeId::of::<O::Body>() == TypeId::of::<()>() {
        return Ok(read_body(b"null")?);
    }
    let bytes = read(headers, body, O::BODY_LIMIT, patience).await?;
    Ok(if O::BODY_OPTIONAL { read_optional_body(&bytes)? } else { read_body(&bytes)? })
}

async fn read(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    patience: Duration,
) -> Result<Bytes, Refusal> {
    let collected = timeout(patience, Limited::new(body, limit).collect()).await;
    let collected = collected.map_err(|_| {
        let text = format!("the body did not arrive within {} s", patience.as_secs());
        Refusal::new(ApiCode::RequestTimeout, text)
    })?;
    let bytes = collected.map_err(|error| unread(&*error, limit))?.to_bytes();
    if !bytes.is_empty() && !is_json(headers) {
        let text = "the body must be JSON: send `Content-Type: application/json`";
        return Err(Refusal::new(ApiCode::UnsupportedMediaType, text));
    }
    Ok(bytes)
}

fn unread(error: &(dyn std::error::Error + Send + Sync + 'static), limit: usize) -> Refusal {
    if error.downcast_ref::<LengthLimitError>().is_some() {
        let text = format!("the body has more than {limit} bytes");
        return ApiError::new(ApiCode::PayloadTooLarge, text).with("limit_bytes", limit).into();
    }
    Refusal::new(ApiCode::BadRequest, "the body ended before it was complete")
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}
