//! Hooks that are HTTP services: one POST per moment.

mod client;
mod hook_url;

use std::sync::Arc;

use assent_ids::Clock;
use assent_outbound::{
    Body, CallError, Request,
    standard_webhooks::{
        Message, MessageError, Secret, SecretError as SigningSecretError, SignError,
    },
};
use assent_runtime::{Effects, Hook, HookEffects, HookError, HookMoment};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, USER_AGENT},
};

use crate::{
    SecretRef, Terms,
    conversation::{Conversation, ConversationError},
    secret::SecretError,
};

pub use self::{
    client::HttpClient,
    hook_url::{HookUrl, UrlError},
};
pub use assent_outbound::{ClientError, Roots};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const AGENT: HeaderValue =
    HeaderValue::from_static(concat!("assent-hooks/", env!("CARGO_PKG_VERSION")));

/// The address of a service and the credentials for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpSpec {
    /// The URL that moments are sent to.
    pub url: HookUrl,
    /// The bearer token that is sent with every request.
    pub bearer: Option<SecretRef>,
    /// The secret that signs moments, in the form of Standard Webhooks.
    pub signing_secret: Option<SecretRef>,
}

/// Why a service failed.
#[derive(Debug, thiserror::Error)]
enum HttpError {
    #[error("the request failed: {0}")]
    Request(#[from] CallError),
    #[error("it answered with status {0}; redirects are not followed, so give its final `url`")]
    Redirect(u16),
    #[error("it answered with status {0}; only 200 with effects and 204 without are answers")]
    Status(u16),
    #[error("its `bearer` token is not one that a header can hold")]
    Bearer,
    #[error("its `signing_secret` cannot be used: {0}")]
    SigningSecret(#[from] SigningSecretError),
    #[error("the moment has an id that cannot be signed")]
    Id(#[from] MessageError),
    #[error("the moment cannot be signed: {0}")]
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
    /// Creates a hook that calls this service. `clock` gives the time of the signatures.
    #[must_use]
    pub fn new(terms: Terms, spec: HttpSpec, client: HttpClient, clock: Arc<dyn Clock>) -> Self {
        Self { spec, client, clock, conversation: Conversation::new(terms) }
    }

    async fn ask(&self, moment: &HookMoment) -> Result<HookEffects, HttpError> {
        let question = self.conversation.question(moment)?;
        let _turn = self.conversation.turn().await;
        let headers = self.headers(moment, &question).await?;
        let request = Request::post(self.spec.url.target().clone(), headers, question);
        let answer = self.client.0.begin(request).await?;
        match answer.status() {
            StatusCode::OK => {
                let limit = self.conversation.max_answer_bytes();
                match answer.body(limit).await? {
                    Body::Whole(answer) => Ok(self.conversation.answer(moment, &answer)?),
                    Body::Cut(_) => Err(ConversationError::TooLong(limit).into()),
                }
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
            let secret: Secret = secret.fetch().await?.expose().parse()?;
            // The run is the message, also if it were sent several times.
            let id = moment.run.to_string();
            let message = Message::new(&id, self.clock.now(), body.as_bytes())?;
            headers.extend(message.sign(&[&secret])?);
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
