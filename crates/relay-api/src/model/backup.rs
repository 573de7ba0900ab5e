//! The sealed backup of a person's private keys.

use assent_protocol::wire::{Timestamp, never_null};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Reply,
    value::{BrokenRule, Name, PublicKey, Salt, Sealed},
};

/// Private keys, sealed under a key that is derived from the protection password. The relay never learns that
/// password and cannot open the backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct KeyBackup {
    /// The sealed X25519 private key.
    pub backup_a: Sealed,
    /// The sealed Ed25519 private key.
    pub backup_b: Sealed,
    /// The salt of Argon2id.
    pub argon2_salt: Salt,
    /// The parameters of Argon2id.
    pub argon2_params: Argon2Params,
    /// The X25519 public key that belongs to `backup_a`.
    pub public_key: PublicKey,
    /// The Ed25519 public key that belongs to `backup_b`.
    pub signing_public_key: PublicKey,
    /// The device that made the backup, as it names itself.
    pub device_id: Name,
    /// When it was stored. Given by the relay; ignored in requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("readOnly" = true))]
    pub updated_at: Option<Timestamp>,
}

/// The parameters of Argon2id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Unchecked")]
pub struct Argon2Params {
    /// Memory, in KiB.
    #[schemars(range(min = 8, max = 4_194_304))]
    pub m: u32,
    /// Passes.
    #[schemars(range(min = 1, max = 1024))]
    pub t: u32,
    /// Lanes.
    #[schemars(range(min = 1, max = 64))]
    pub p: u32,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Argon2Params")]
struct Unchecked {
    /// Memory, in KiB.
    #[schemars(range(min = 8, max = 4_194_304))]
    m: u32,
    /// Passes.
    #[schemars(range(min = 1, max = 1024))]
    t: u32,
    /// Lanes.
    #[schemars(range(min = 1, max = 64))]
    p: u32,
}

impl TryFrom<Unchecked> for Argon2Params {
    type Error = BrokenRule;

    /// A device that restores the backup has to be able to compute the key: a relay could otherwise make it
    /// run out of memory.
    fn try_from(Unchecked { m, t, p }: Unchecked) -> Result<Self, BrokenRule> {
        let rule = |pointer, text| Err(BrokenRule::new(text).at(pointer));
        match (m, t, p) {
            (..8 | 4_194_305.., _, _) => rule("/m", "the memory is 8 KiB to 4 GiB"),
            (_, 0 | 1025.., _) => rule("/t", "there are 1 to 1024 passes"),
            (_, _, 0 | 65..) => rule("/p", "there are 1 to 64 lanes"),
            _ => Ok(Self { m, t, p }),
        }
    }
}

impl Reply for KeyBackup {}
