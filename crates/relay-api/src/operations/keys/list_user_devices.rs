//! `GET /keys/users/{user_id}/devices`

use assent_ids::UserId;
use assent_protocol::a2h::Page;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Operation, Tag, model::DeviceKeys};

/// Lists the public keys of a person's devices.
#[derive(Clone, Copy, Debug)]
pub struct ListUserDevices;

impl Operation for ListUserDevices {
    const ID: &'static str = "list_user_devices";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/keys/users/{user_id}/devices";
    const ACCESS: Access = Access::USER_OR_AGENT;
    const TAG: Tag = Tag::Keys;
    const SUMMARY: &'static str = "Get the keys of a person's devices";
    const IDEMPOTENT: bool = true;

    type Path = UserPath;
    type Query = ();
    type Body = ();
    type Reply = Page<DeviceKeys>;
}

/// `{user_id}`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserPath {
    /// The person.
    pub user_id: UserId,
}
