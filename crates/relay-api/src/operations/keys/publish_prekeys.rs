//! `POST /keys/prekeys`

use assent_ids::DeviceId;
use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Operation, Tag,
    model::{KemPrekey, MAX_PREKEYS, OneTimePrekey, PrekeyCount, SignedPrekey},
    value::List,
};

/// Leaves prekeys with the relay.
#[derive(Clone, Copy, Debug)]
pub struct PublishPrekeys;

impl Operation for PublishPrekeys {
    const ID: &'static str = "publish_prekeys";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/keys/prekeys";
    const ACCESS: Access = Access::USER_OR_AGENT;
    const TAG: Tag = Tag::Keys;
    const SUMMARY: &'static str = "Publish prekeys";
    const DESCRIPTION: &'static str = "\
        People name one of their devices; an agent publishes its own and names none. A new \
        signed prekey or KEM prekey replaces the one before, one-time prekeys are added. A name that was given \
        before is not stored again.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::NotFound, ApiCode::InvalidKey, ApiCode::Conflict];
    const IDEMPOTENT: bool = true;
    const EXAMPLE: &'static str = include_str!("publish_prekeys.json");

    type Path = ();
    type Query = ();
    type Body = NewPrekeys;
    type Reply = PrekeyCount;
}

/// Prekeys to be left with the relay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewPrekeys {
    /// The device whose prekeys these are; required for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_id: Option<DeviceId>,
    /// The prekey that serves many times. Without it the one before stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_prekey: Option<SignedPrekey>,
    /// The post-quantum prekey. Without it the one before stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kem_prekey: Option<KemPrekey>,
    /// Prekeys that are handed out once each.
    #[serde(default)]
    pub one_time_prekeys: List<OneTimePrekey, 0, MAX_PREKEYS>,
}
