//! One request: read, authenticated, served, answered.

use std::{
    any::TypeId,
    net::{IpAddr, Ipv4Addr},
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use assent_http::{Panicked, catch_panic, read_json};
use assent_relay_api::{
    Credential, Operation,
    read::{read_body, read_optional_body, read_path, read_query},
};
use axum::{
    extract::{FromRequestParts as _, RawPathParams, Request},
    response::Response,
};
use bytes::Bytes;
use http::HeaderMap;
use tokio::time::timeout;

use super::{
    app::{ClientAddress, Served},
    authenticate::authenticate,
    respond,
};
use crate::{
    http::{Call, Caller, Refusal, Serve},
    state::Relay,
};

/// An operation, as far as all of them are served alike. What knows its types is behind a pointer: it is
/// compiled once for each operation, and all the rest once.
#[derive(Clone, Copy)]
pub(super) struct Endpoint {
    id: &'static str,
    credential: Credential,
    /// The longest body; an operation that takes none does not look at any.
    body_limit: Option<usize>,
    run: fn(Arc<Relay>, IncomingRequest) -> Running,
}

type Running = Pin<Box<dyn Future<Output = Result<Response, Refusal>> + Send>>;

/// A request whose sender is known.
struct IncomingRequest {
    caller: Caller,
    parameters: RawPathParams,
    query: String,
    body: Bytes,
    headers: HeaderMap,
    peer: IpAddr,
}

impl Endpoint {
    pub(super) fn of<O: Serve>() -> Self {
        let takes_body = TypeId::of::<O::Body>() != TypeId::of::<()>();
        Self {
            id: O::ID,
            credential: O::ACCESS.credential,
            body_limit: takes_body.then_some(O::BODY_LIMIT),
            run: |relay, request| Box::pin(run::<O>(relay, request)),
        }
    }

    /// Serves one request: in bounded time, and whatever the operation does.
    pub(super) async fn serve(self, relay: Arc<Relay>, request: Request) -> Response {
        let mut caller = None;
        let outcome = {
            // Pinned where it is made: what is moved from one wrapper into the next is copied each time.
            let answer = pin!(self.answer(&relay, request, &mut caller));
            timeout(self.time_limit(&relay), catch_panic(answer)).await
        };
        let outcome = match outcome {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(Panicked)) => {
                relay.metrics.panics.add(1);
                tracing::error!(operation = self.id, "an operation panicked");
                Err(Refusal::fault())
            }
            Err(_) => Err(Refusal::too_slow()),
        };
        let mut response = outcome.unwrap_or_else(respond::refused);
        response.extensions_mut().insert(Served { operation: self.id, caller });
        response
    }

    async fn answer(
        self,
        relay: &Arc<Relay>,
        request: Request,
        known: &mut Option<Caller>,
    ) -> Result<Response, Refusal> {
        let (mut parts, body) = request.into_parts();
        // Strangers are turned away before anything of theirs is read.
        let caller = authenticate(relay, self.credential, &parts.headers).await?;
        *known = Some(caller.clone());
        let parameters = RawPathParams::from_request_parts(&mut parts, &()).await;
        let parameters = parameters.map_err(|_| Refusal::not_found("path"))?;
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let time_limit = relay.settings.limits.body;
        let body = match self.body_limit {
            Some(limit) => read_json(&parts.headers, body, limit, time_limit).await?,
            None => Bytes::new(),
        };
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let peer = parts.extensions.get::<ClientAddress>().map_or(here, |client| client.0);
        let headers = parts.headers;
        let request = IncomingRequest { caller, parameters, query, body, headers, peer };
        (self.run)(Arc::clone(relay), request).await
    }

    /// How long a request may take. Operators know how long their work takes.
    fn time_limit(self, relay: &Relay) -> Duration {
        match self.credential {
            Credential::AdminSocket => Duration::MAX,
            _ => relay.settings.limits.request,
        }
    }
}

/// Reads what is of the operation's types, and serves it.
async fn run<O: Serve>(relay: Arc<Relay>, request: IncomingRequest) -> Result<Response, Refusal> {
    let call = Call {
        caller: request.caller,
        path: read_path(request.parameters.iter())?,
        query: read_query(&request.query)?,
        body: body_of::<O>(&request.body)?,
        headers: request.headers,
        peer: request.peer,
    };
    respond::answered(O::serve(&relay, call).await?)
}

fn body_of<O: Operation>(bytes: &[u8]) -> Result<O::Body, Refusal> {
    if TypeId::of::<O::Body>() == TypeId::of::<()>() {
        return Ok(read_body(b"null")?);
    }
    Ok(if O::BODY_OPTIONAL { read_optional_body(bytes)? } else { read_body(bytes)? })
}
