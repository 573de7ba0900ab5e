//! A hook that is an HTTP service: a POST per moment.

mod client;
mod hook_url;
mod sign;

use std::sync::Arc;

use assent_ids::Clock;
use assent_runtime::{Effects, Hook, HookEffects, HookError, HookMoment};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, USER_AGENT},
};
use http_body_util::Full;
use hyper::body::Bytes;

use self::sign::{SignError, SigningKey};
use crate::{
    SecretRef, Terms,
    conversation::{Conversation, ConversationError},
    secret::SecretError,
};

pub use self::{
    client::{ClientError, HttpClient, Roots},
    hook_url::{HookUrl, UrlError},
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const AGENT: HeaderValue =
    HeaderValue::from_static(concat!("assent-hooks/", env!("CARGO_PKG_VERSION")));

/// Where a service is, and how it recognises us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpSpec {
    /// Where moments are sent.
    pub url: HookUrl,
    /// A token that is sent along.
    pub bearer: Option<SecretRef>,
    /// The secret with which moments are signed, in the form of Standard Webhooks.
    pub signing_secret: Option<SecretRef>,
}

/// Why a service failed.
#[derive(Debug, thiserror::Error)]
enum HttpError {
    #[error("the request failed: {0}")]
    Request(String),
    #[error("it answered with status {0}; redirects are not followed, so give its final `url`")]
    Redirect(u16),
    #[error("it answered with status {0}; only 200 with effects and 204 without are answers")]
    Status(u16),
    #[error("its `bearer` token is not one that a header can hold")]
    Bearer,
    #[error(transparent)]
    Sign(#[from] SignError),
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error(transparent)]
    Conversation(#[from] ConversationError),
}

/// A hook that sends a request for every moment.
///
/// Dropping a run closes its connection. A request has no time limit of its own beyond connecting: the
/// runtime gives up on it.
pub struct HttpHook {
    spec: HttpSpec,
    client: HttpClient,
    clock: Arc<dyn Clock>,
    conversation: Conversation,
}

impl HttpHook {
    /// A hook that asks this service. The clock dates signatures.
    #[must_use]
    pub fn new(terms: Terms, spec: HttpSpec, client: HttpClient, clock: Arc<dyn Clock>) -> Self {
        Self { spec, client, clock, conversation: Conversation::new(terms) }
    }

    async fn ask(&self, moment: &HookMoment) -> Result<HookEffects, HttpError> {
        let question = self.conversation.question(moment)?;
        let _turn = self.conversation.turn().await;
        let headers = self.headers(moment, &question).await?;
        let mut request = Request::new(Full::new(Bytes::from(question)));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.spec.url.uri().clone();
        *request.headers_mut() = headers;
        let response = self.client.send(request).await?;
        match response.status() {
            StatusCode::OK => {
                let limit = self.conversation.max_answer_bytes();
                let answer = client::body(response.into_body(), limit).await?;
                Ok(self.conversation.answer(moment, &answer)?)
            }
            StatusCode::NO_CONTENT => Ok(HookEffects::default()),
            other if other.is_redirection() => Err(HttpError::Redirect(other.as_u16())),
            other => Err(HttpError::Status(other.as_u16())),
        }
    }

    async fn headers(&self, moment: &HookMoment, body: &str) -> Result<HeaderMap, HttpError> {
        let mut headers =
            HeaderMap::from_iter([(CONTENT_TYPE, JSON), (ACCEPT, JSON), (USER_AGENT, AGENT)]);
        if let Some(bearer) = &self.spec.bearer {
            headers.insert(AUTHORIZATION, bearer_header(bearer).await?);
        }
        if let Some(secret) = &self.spec.signing_secret {
            let key = SigningKey::parse(secret.fetch().await?.expose())?;
            let seconds = self.clock.now().get() / 1000;
            // One run is one message, however often it would be sent.
            let id = moment.run.to_string();
            let signed = [
                ("webhook-signature", key.sign(&id, seconds, body.as_bytes())?),
                ("webhook-timestamp", seconds.to_string()),
                ("webhook-id", id),
            ];
            for (name, value) in signed {
                let value = HeaderValue::try_from(value).map_err(|_| SignError::Header)?;
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        Ok(headers)
    }
}

async fn bearer_header(bearer: &SecretRef) -> Result<HeaderValue, HttpError> {
    let token = bearer.fetch().await?;
    let text = zeroize::Zeroizing::new(format!("Bearer {}", token.expose()));
    let mut value = HeaderValue::from_str(&text).map_err(|_| HttpError::Bearer)?;
    value.set_sensitive(true);
    Ok(value)
}

impl Hook for HttpHook {
    fn run<'a>(&'a self, moment: &'a HookMoment) -> Effects<'a> {
        Box::pin(
            async move { self.ask(moment).await.map_err(|error| HookError(error.to_string())) },
        )
    }
}
