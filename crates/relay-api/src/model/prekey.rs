//! Prekeys: public keys that are left with the relay, so that others can seal a first message to a
//! party that is not connected.

use assent_ids::DeviceId;
use assent_protocol::wire::never_null;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Reply,
    value::{KemPublicKey, PrekeyId, PublicKey, Signature},
};

/// The most one-time prekeys in one request, and the most that the relay keeps per device or agent.
pub const MAX_PREKEYS: usize = 100;

/// A prekey that serves many times, signed by its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignedPrekey {
    /// Its name.
    pub key_id: PrekeyId,
    /// The X25519 key.
    pub public_key: PublicKey,
    /// The owner's Ed25519 signature over the 32 bytes of the key.
    pub signature: Signature,
}

/// The post-quantum prekey, signed by its owner. It serves many times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KemPrekey {
    /// The first 8 bytes of the SHA-256 of the key, as 16 lower-case hexadecimal digits.
    pub key_id: PrekeyId,
    /// The X-Wing key.
    pub public_key: KemPublicKey,
    /// The owner's Ed25519 signature over `assent/v1/kem` and the 1,216 bytes of the key.
    pub signature: Signature,
}

/// A prekey that is handed out once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct OneTimePrekey {
    /// Its name.
    pub key_id: PrekeyId,
    /// The X25519 key.
    pub public_key: PublicKey,
}

/// What it takes to seal a first message to a device or an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct PrekeyBundle {
    /// The device whose keys these are; absent for an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_id: Option<DeviceId>,
    /// The X25519 key.
    pub identity_key: PublicKey,
    /// The Ed25519 key.
    pub signing_public_key: PublicKey,
    /// The prekey that serves many times.
    pub signed_prekey: SignedPrekey,
    /// The post-quantum prekey.
    pub kem_prekey: KemPrekey,
    /// A prekey that is handed out only once. Absent if none are left: then the signed prekey is used alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_time_prekey: Option<OneTimePrekey>,
}

/// How many one-time prekeys the relay has. Few means: make more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PrekeyCount {
    /// How many are left.
    pub one_time_prekeys: u64,
}

impl Reply for PrekeyBundle {}
impl Reply for PrekeyCount {}
