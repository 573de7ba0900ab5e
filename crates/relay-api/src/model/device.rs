//! Devices and the public keys of those who seal messages.

use assent_ids::{AgentId, DeviceId};
use assent_protocol::wire::{Timestamp, never_null};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::KemPrekey;
use crate::{Reply, value::PublicKey};

/// A device, as the person it belongs to sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct Device {
    /// Which device.
    pub device_id: DeviceId,
    /// What the person calls it.
    pub name: String,
    /// Its X25519 key.
    pub public_key: PublicKey,
    /// Its Ed25519 key.
    pub signing_public_key: PublicKey,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it was last connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_seen_at: Option<Timestamp>,
}

/// The public keys of a device, as others see them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct DeviceKeys {
    /// Which device.
    pub device_id: DeviceId,
    /// Its X25519 key.
    pub public_key: PublicKey,
    /// Its Ed25519 key.
    pub signing_public_key: PublicKey,
    /// The post-quantum prekey. Absent if it has published none: then nothing can be sealed to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kem_prekey: Option<KemPrekey>,
    /// When it was registered.
    pub created_at: Timestamp,
}

/// The public keys of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct AgentKeys {
    /// Which agent.
    pub agent_id: AgentId,
    /// Its X25519 key.
    pub public_key: PublicKey,
    /// Its Ed25519 key.
    pub signing_public_key: PublicKey,
    /// The post-quantum prekey. Absent if it has published none: then nothing can be sealed to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kem_prekey: Option<KemPrekey>,
    /// When these keys were registered.
    pub registered_at: Timestamp,
}

impl Reply for Device {}
impl Reply for AgentKeys {}
