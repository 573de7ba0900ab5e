//! One attempt to deliver.

use assent_outbound::{Request, standard_webhooks::Message};
use http::{HeaderValue, StatusCode, header};

use super::claim::Claimed;
use crate::state::Relay;

/// How an attempt ended.
pub(super) struct Outcome {
    pub(super) status: Option<StatusCode>,
    /// What went wrong, in words for the owner.
    pub(super) error: Option<String>,
}

impl Outcome {
    pub(super) fn arrived(&self) -> bool {
        self.status.is_some_and(|status| status.is_success()) && self.error.is_none()
    }

    fn failed(why: impl Into<String>) -> Self {
        Self { status: None, error: Some(why.into()) }
    }
}

/// Calls the agent.
pub(super) async fn deliver(relay: &Relay, claimed: &Claimed) -> Outcome {
    let request = match request(relay, claimed) {
        Ok(request) => request,
        Err(outcome) => return outcome,
    };
    let client = match relay.webhooks.client().await {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(%error, "webhooks cannot be called");
            return Outcome::failed("the relay cannot make calls at the moment");
        }
    };
    match client.send(request).await {
        Ok(response) => answered(response.status),
        Err(error) => Outcome::failed(error.to_string()),
    }
}

/// Only a 2xx confirms a delivery. A redirect is a failure: the owner has to change the address.
fn answered(status: StatusCode) -> Outcome {
    let error = if status.is_success() {
        None
    } else if status.is_redirection() {
        Some(format!("it answered {status}; redirects are not followed: set the new address"))
    } else {
        Some(format!("it answered {status}"))
    };
    Outcome { status: Some(status), error }
}

fn request(relay: &Relay, claimed: &Claimed) -> Result<Request, Outcome> {
    let event = claimed
        .event
        .as_ref()
        .ok_or_else(|| Outcome::failed("the event was forgotten before it could be delivered"))?;
    let target = relay.webhooks.target(&claimed.url);
    let target = target.map_err(|error| Outcome::failed(error.to_string()))?;
    let body = body(event);
    let id = claimed.delivery_id.to_string();
    let unsigned = |_| Outcome::failed("the delivery could not be signed");
    let message = Message::new(&id, relay.now(), body.as_bytes()).map_err(unsigned)?;
    let secrets: Vec<_> = claimed.secrets.iter().collect();
    let signed = message.sign(&secrets);
    let mut headers = signed.map_err(|_| Outcome::failed("the delivery could not be signed"))?;
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::USER_AGENT, HeaderValue::from_static("assent-relay"));
    Ok(Request::post(target, headers, body))
}

/// `{"type":…,"timestamp":…,"data":…}`; the kind is one of ours and the data was serialised.
fn body(event: &crate::delivery::events::Stored) -> String {
    let timestamp = crate::storage::times::timestamp(event.created_at);
    format!(r#"{{"type":"{}","timestamp":"{timestamp}","data":{}}}"#, event.kind, event.data)
}
