//! `GET /keys/backup`

use assent_protocol::a2h::ApiCode;
use http::Method;

use crate::{Access, Operation, Tag, model::KeyBackup};

/// Gets the sealed private keys of the caller.
#[derive(Clone, Copy, Debug)]
pub struct GetBackup;

impl Operation for GetBackup {
    const ID: &'static str = "get_backup";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/keys/backup";
    const ACCESS: Access = Access::USER;
    const TAG: Tag = Tag::Keys;
    const SUMMARY: &'static str = "Get the sealed backup of the own keys";
    const ERRORS: &'static [ApiCode] = &[ApiCode::NotFound];
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = ();
    type Body = ();
    type Reply = KeyBackup;
}
