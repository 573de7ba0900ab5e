//! Where agents may be called, and with what calls are signed.

use assent_ids::{AgentId, Entropy as _};
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::{
    model::ConnectionMode,
    operations::agents::NewAgent,
    value::{Secret, WebAddress},
};
use assent_store::{StoreError, Tx};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use url::Url;
use zeroize::Zeroizing;

use crate::{refusal::Refusal, relay::Relay, settings::Settings, times::millis};

/// What a secret begins with.
const PREFIX: &str = "whsec_";

const REPLACE: &str = "DELETE FROM webhook_secrets WHERE agent_id = $1";
const KEEP: &str = "INSERT INTO webhook_secrets (agent_id, created_at, secret) VALUES ($1, $2, $3)";

/// Whether the address at `pointer` of a request may be called: https, or an origin that the operator
/// allows by name.
fn validate_target(
    settings: &Settings,
    pointer: &str,
    address: &WebAddress,
) -> Result<(), Refusal> {
    let refused = |why: &str| {
        Err(ApiError::new(ApiCode::WebhookUrlRefused, why.to_owned()).at(pointer).into())
    };
    let Ok(url) = Url::parse(address.as_str()) else { return refused("this is not a URL") };
    let origin = url.origin().ascii_serialization();
    if settings.webhook_allow.iter().any(|allowed| allowed.trim_end_matches('/') == origin) {
        return Ok(());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refused("an address with a user name or a password may not be called");
    }
    if url.scheme() == "https" { Ok(()) } else { refused("only https addresses may be called") }
}

/// Whether an agent that is to be made can be reached the way it says.
pub(crate) fn check_connection(settings: &Settings, agent: &NewAgent) -> Result<(), Refusal> {
    if agent.connection_mode == Some(ConnectionMode::Webhook) && agent.webhook_url.is_none() {
        return Err(without_address());
    }
    check_addresses(settings, agent.webhook_url.as_ref(), agent.health_check_url.as_ref())
}

/// Whether the addresses of an agent may be called.
pub(crate) fn check_addresses(
    settings: &Settings,
    webhook: Option<&WebAddress>,
    health_check: Option<&WebAddress>,
) -> Result<(), Refusal> {
    let addresses = [("/webhook_url", webhook), ("/health_check_url", health_check)];
    for (pointer, address) in addresses {
        if let Some(address) = address {
            validate_target(settings, pointer, address)?;
        }
    }
    Ok(())
}

/// An agent that is called has to say where.
pub(crate) fn without_address() -> Refusal {
    Refusal::invalid("/webhook_url", "an agent that is called needs an address")
}

/// A new secret of `agent`, in place of those before.
pub(crate) async fn new_secret(
    tx: &mut Tx,
    relay: &Relay,
    agent: AgentId,
) -> Result<Secret, StoreError> {
    let mut secret = Zeroizing::new([0_u8; 32]);
    relay.entropy.fill(secret.as_mut());
    let agent_id = agent.to_string();
    tx.execute(REPLACE, &[(&agent_id).into()]).await?;
    let row = [agent_id.into(), millis(relay.now()).into(), (&*secret).into()];
    tx.execute(KEEP, &row).await?;
    let mut text = String::with_capacity(64);
    text.push_str(PREFIX);
    BASE64_STANDARD.encode_string(*secret, &mut text);
    Ok(Secret::from(text))
}
