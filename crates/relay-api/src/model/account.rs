//! People and their sessions.

use assent_ids::UserId;
use assent_protocol::wire::{Timestamp, never_null};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Reply, value::Secret};

/// A person's account, as that person sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct Account {
    /// Who.
    pub user_id: UserId,
    /// The address to log in with.
    pub email: String,
    /// What others see.
    pub display_name: String,
    /// The language of the device that registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_locale: Option<String>,
    /// When the person registered.
    pub created_at: Timestamp,
}

/// A session that has just begun or goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct Session {
    /// Whose.
    pub user_id: UserId,
    /// What to send as `Authorization: Bearer …`.
    pub access_token: Secret,
    /// How long the access token is good for.
    pub expires_in_seconds: u64,
    /// What to get the next access token with, for clients without cookies: only if `cookie` was `false`.
    /// Each one is good for one use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<Secret>,
}

impl Reply for Account {}
impl Reply for Session {}
