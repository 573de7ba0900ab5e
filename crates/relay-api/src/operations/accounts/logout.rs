//! `POST /auth/logout`

use http::Method;

use super::RefreshToken;
use crate::{Access, Credential, Needs, Operation, Tag, model::Empty};

/// Ends a session.
#[derive(Clone, Copy, Debug)]
pub struct Logout;

impl Operation for Logout {
    const ID: &'static str = "logout";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/auth/logout";
    const ACCESS: Access = Access::new(Credential::RefreshTokenOrUser, Needs::Nothing);
    const TAG: Tag = Tag::Accounts;
    const SUMMARY: &'static str = "Log out";
    const DESCRIPTION: &'static str = "\
        Takes the refresh token as the cookie or as `refresh_token`, or an access token. Ending \
        a session that has ended is no failure.";
    const SETS_COOKIE: bool = true;
    const IDEMPOTENT: bool = true;
    const BODY_OPTIONAL: bool = true;
    const EXAMPLE: &'static str = include_str!("refresh.json");

    type Path = ();
    type Query = ();
    type Body = RefreshToken;
    type Reply = Empty;
}
