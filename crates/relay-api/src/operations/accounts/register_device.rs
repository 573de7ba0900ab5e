//! `POST /devices`

use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Operation, Tag,
    model::{Device, KemPrekey},
    value::{Name, PublicKey},
};

/// Registers a device of the caller.
#[derive(Clone, Copy, Debug)]
pub struct RegisterDevice;

impl Operation for RegisterDevice {
    const ID: &'static str = "register_device";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/devices";
    const ACCESS: Access = Access::USER;
    const TAG: Tag = Tag::Devices;
    const SUMMARY: &'static str = "Register a device";
    const DESCRIPTION: &'static str = "\
        A person has at most five devices. The same two keys again answer with the device that \
        has them, and leave its prekeys as they are.";
    const SUCCESS: u16 = 201;
    const EXTRA_SUCCESS: &'static [(u16, &'static str)] =
        &[(200, "The device was registered before: the same answer again.")];
    const ERRORS: &'static [ApiCode] = &[ApiCode::DeviceLimit, ApiCode::InvalidKey];
    const IDEMPOTENT: bool = true;
    const EXAMPLE: &'static str = include_str!("register_device.json");

    type Path = ();
    type Query = ();
    type Body = NewDevice;
    type Reply = Device;
}

/// A device to be registered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewDevice {
    /// Its X25519 key.
    pub public_key: PublicKey,
    /// Its Ed25519 key.
    pub signing_public_key: PublicKey,
    /// Its post-quantum prekey.
    pub kem_prekey: KemPrekey,
    /// What the person calls it.
    pub name: Name,
}
