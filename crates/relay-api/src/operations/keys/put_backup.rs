//! `PUT /keys/backup`

use assent_protocol::a2h::ApiCode;
use http::Method;

use crate::{Access, Operation, Tag, model::KeyBackup};

/// Stores the sealed private keys of the caller.
#[derive(Clone, Copy, Debug)]
pub struct PutBackup;

impl Operation for PutBackup {
    const ID: &'static str = "put_backup";
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/keys/backup";
    const ACCESS: Access = Access::USER;
    const TAG: Tag = Tag::Keys;
    const SUMMARY: &'static str = "Store the sealed backup of the own keys";
    const DESCRIPTION: &'static str = "There is one backup per person; a later one replaces it.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::InvalidKey];
    const IDEMPOTENT: bool = true;
    const EXAMPLE: &'static str = include_str!("put_backup.json");

    type Path = ();
    type Query = ();
    type Body = KeyBackup;
    type Reply = KeyBackup;
}
