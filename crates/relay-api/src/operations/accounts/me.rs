//! `GET /auth/me`

use http::Method;

use crate::{Access, Operation, Tag, model::Account};

/// Tells whose access token it is.
#[derive(Clone, Copy, Debug)]
pub struct Me;

impl Operation for Me {
    const ID: &'static str = "me";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/auth/me";
    const ACCESS: Access = Access::USER;
    const TAG: Tag = Tag::Accounts;
    const SUMMARY: &'static str = "Who am I?";
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = ();
    type Body = ();
    type Reply = Account;
}
