//! `GET /ready`

use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Operation, Reply, Tag};

/// Tells whether the server can do its work.
#[derive(Clone, Copy, Debug)]
pub struct Ready;

impl Operation for Ready {
    const ID: &'static str = "ready";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/ready";
    const ACCESS: Access = Access::PUBLIC;
    const TAG: Tag = Tag::Operations;
    const SUMMARY: &'static str = "Can the server do its work?";
    const DESCRIPTION: &'static str = "\
        `STORAGE_UNAVAILABLE` if the database does not answer, `SHUTTING_DOWN` if the server is \
        going down.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::StorageUnavailable];
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = ();
    type Body = ();
    type Reply = ReadyStatus;
}

/// That the server can do its work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadyStatus {
    /// `ready`.
    pub status: String,
}

impl Reply for ReadyStatus {}
