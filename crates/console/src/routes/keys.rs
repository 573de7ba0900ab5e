//! `GET /keys[/:agent]`, `POST /keys/:agent/accept`, `GET /devices`

use assent_device::AgentKeysView;
use assent_ids::{AgentId, DeviceId};
use assent_protocol::wire::Timestamp;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};

use super::{agent::AgentReply, directory::layers};
use crate::{error::ConsoleError, reply::Data, request::Body, state::Shared};

/// The keys of an agent.
#[derive(Serialize)]
pub(super) struct KeysReply {
    agent: AgentReply,
    /// The SHA-256 of the pinned keys.
    fingerprint: String,
    safety_number: String,
    layers: &'static str,
    changed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_safety_number: Option<String>,
}

/// The number that the person has compared.
#[derive(Deserialize)]
pub(super) struct Accept {
    number: String,
}

/// A device of the account.
#[derive(Serialize)]
pub(super) struct DeviceReply {
    device_id: DeviceId,
    name: String,
    is_this: bool,
    public_key: String,
    created_at: Timestamp,
}

pub(super) async fn list(State(state): Shared) -> Result<Data<Vec<KeysReply>>, ConsoleError> {
    Ok(Data(state.device.keys().await?.into_iter().map(KeysReply::from).collect()))
}

pub(super) async fn get(
    State(state): Shared,
    Path(id): Path<String>,
) -> Result<Data<KeysReply>, ConsoleError> {
    Ok(Data(state.device.agent_keys(read_id(&id)?).await?.into()))
}

pub(super) async fn accept(
    State(state): Shared,
    Path(id): Path<String>,
    Body(accept): Body<Accept>,
) -> Result<Data<KeysReply>, ConsoleError> {
    Ok(Data(state.device.accept_keys(read_id(&id)?, &accept.number).await?.into()))
}

pub(super) async fn devices(State(state): Shared) -> Result<Data<Vec<DeviceReply>>, ConsoleError> {
    let own = state.device.account().await?.and_then(|account| account.device_id);
    let reply = |device: assent_relay_api::model::Device| DeviceReply {
        device_id: device.device_id,
        is_this: Some(device.device_id) == own,
        public_key: device.public_key.to_string(),
        created_at: device.created_at,
        name: device.name,
    };
    Ok(Data(state.device.devices().await?.into_iter().map(reply).collect()))
}

impl From<AgentKeysView> for KeysReply {
    fn from(keys: AgentKeysView) -> Self {
        Self {
            agent: AgentReply::from(&keys),
            fingerprint: keys.fingerprint.to_string(),
            safety_number: keys.safety_number.to_string(),
            layers: layers(keys.has_sessions),
            changed: keys.has_changed,
            changed_at: keys.changed_at,
            new_safety_number: keys.new_safety_number.map(|number| number.to_string()),
        }
    }
}

fn read_id(id: &str) -> Result<AgentId, ConsoleError> {
    id.parse().map_err(|_| ConsoleError::not_found("agent"))
}
