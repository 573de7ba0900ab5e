//! One request: read, authenticated, served, answered.

use std::{any::TypeId, net::IpAddr, sync::Arc};

use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::{
    Operation,
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

use super::{Peer, authenticate::authenticate, respond};
use crate::{
    operations::{Call, Serve},
    refusal::Refusal,
    relay::Relay,
};

/// Serves one request of operation `O`.
pub(super) async fn serve<O: Serve>(relay: Arc<Relay>, request: Request) -> Response {
    match answer::<O>(&relay, request).await {
        Ok(response) => response,
        Err(refusal) => respond::refused(refusal),
    }
}

async fn answer<O: Serve>(relay: &Arc<Relay>, request: Request) -> Result<Response, Refusal> {
    let (mut parts, body) = request.into_parts();
    // Strangers are turned away before anything of theirs is read.
    let caller = authenticate(relay, O::ACCESS.credential, &parts.headers).await?;
    let path = path::<O>(&mut parts).await?;
    let query = read_query(parts.uri.query().unwrap_or_default())?;
    let body = body_of::<O>(&parts.headers, body).await?;
    let peer = parts.extensions.get::<Peer>().map_or(IpAddr::from([127, 0, 0, 1]), |peer| peer.0);
    let call = Call { caller, path, query, body, headers: parts.headers, peer };
    let answer = O::serve(relay, call).await?;
    respond::answered(answer)
}

async fn path<O: Operation>(parts: &mut Parts) -> Result<O::Path, Refusal> {
    let params = RawPathParams::from_request_parts(parts, &()).await;
    let params = params.map_err(|_| Refusal::not_found("path"))?;
    Ok(read_path(params.iter())?)
}

/// What stands in the body. An operation that takes none does not look at any.
async fn body_of<O: Operation>(headers: &HeaderMap, body: Body) -> Result<O::Body, Refusal> {
    if TypeId::of::<O::Body>() == TypeId::of::<()>() {
        return Ok(read_body(b"null")?);
    }
    let bytes = read(headers, body, O::BODY_LIMIT).await?;
    Ok(read_optional_body(&bytes)?)
}

async fn read(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes, Refusal> {
    let collected = Limited::new(body, limit).collect().await;
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
        return ApiError::new(ApiCode::PayloadTooLarge, text).with("limit", limit).into();
    }
    Refusal::new(ApiCode::BadRequest, "the body ended before it was complete")
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}
