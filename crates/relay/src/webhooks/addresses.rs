//! Where agents may be called.

use assent_outbound::{Reach, Target, TargetError};
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::{model::ConnectionMode, operations::agents::NewAgent, value::WebAddress};

use crate::{http::Refusal, settings::Settings};

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
    let reach = Reach::Public(settings.webhook_allow.clone());
    let addresses = [("/webhook_url", webhook), ("/health_check_url", health_check)];
    for (pointer, address) in addresses {
        let Some(address) = address else { continue };
        if let Err(error) = Target::parse(address.as_str(), &reach) {
            let refused = ApiError::new(ApiCode::WebhookUrlRefused, why(&error));
            return Err(refused.at(pointer).into());
        }
    }
    Ok(())
}

/// Why an address may not be called, without repeating it.
fn why(error: &TargetError) -> String {
    match error {
        TargetError::PrivateName(_) => {
            "the host is not a public name; use one of the public DNS".to_owned()
        }
        error => error.to_string(),
    }
}

/// An agent that is called has to say where.
pub(crate) fn without_address() -> Refusal {
    Refusal::invalid("/webhook_url", "an agent that is called needs an address")
}
