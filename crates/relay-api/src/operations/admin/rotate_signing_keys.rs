//! `POST /admin/signing-keys/rotate`

use assent_protocol::wire::Timestamp;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Operation, Reply, Tag};

/// Makes another key for signing access tokens.
#[derive(Clone, Copy, Debug)]
pub struct RotateSigningKeys;

impl Operation for RotateSigningKeys {
    const ID: &'static str = "rotate_signing_keys";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/admin/signing-keys/rotate";
    const ACCESS: Access = Access::OPERATOR;
    const TAG: Tag = Tag::Admin;
    const SUMMARY: &'static str = "Rotate the keys that sign access tokens";
    const DESCRIPTION: &'static str =
        "Tokens that were signed with the key before stay good until they expire.";
    const IDEMPOTENT: bool = false;

    type Path = ();
    type Query = ();
    type Body = ();
    type Reply = RotatedKeys;
}

/// A key that was just made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RotatedKeys {
    /// The name of the new key: the `kid` of tokens from now on.
    pub key_id: String,
    /// Until when tokens of the key before are accepted.
    pub previous_valid_until: Timestamp,
}

impl Reply for RotatedKeys {}
