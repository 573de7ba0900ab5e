//! `POST /admin/backup`

use assent_protocol::{a2h::ApiCode, wire::Timestamp};
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Operation, Reply, Tag,
    value::{FilePath, Sha256},
};

/// Writes a copy of the whole database while the server runs.
#[derive(Clone, Copy, Debug)]
pub struct BackUp;

impl Operation for BackUp {
    const ID: &'static str = "back_up";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/admin/backup";
    const ACCESS: Access = Access::OPERATOR;
    const TAG: Tag = Tag::Admin;
    const SUMMARY: &'static str = "Back up the database";
    const DESCRIPTION: &'static str = "\
        The file is written whole or not at all. `CONFLICT` if it exists, or if the database is \
        one that has its own tools for this.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::Conflict];
    const IDEMPOTENT: bool = false;
    const EXAMPLE: &'static str = include_str!("back_up.json");

    type Path = ();
    type Query = ();
    type Body = BackupRequest;
    type Reply = BackupReport;
}

/// Where to write the copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupRequest {
    /// The file to write, on the machine of the server: an absolute path.
    pub path: FilePath,
}

/// A copy that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupReport {
    /// The file.
    pub path: FilePath,
    /// Its length.
    pub size_bytes: u64,
    /// Its SHA-256.
    pub sha256: Sha256,
    /// When it was finished.
    pub finished_at: Timestamp,
}

impl Reply for BackupReport {}
