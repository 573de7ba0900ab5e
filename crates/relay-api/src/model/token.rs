//! Tokens of agents.

use assent_ids::TokenId;
use assent_protocol::{
    wire::{Open, Timestamp, never_null},
    words,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A token, without its secret: that is shown once, when the token is made, and not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct AgentToken {
    /// Which token.
    pub token_id: TokenId,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it may be used for beyond sending and receiving.
    pub scopes: Vec<Open<TokenScope>>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to within some minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
}

words! {
    /// What a token may be used for beyond sending and receiving.
    TokenScope {
        /// Publishing manifests.
        ManifestWrite = "manifest:write",
    }
}
