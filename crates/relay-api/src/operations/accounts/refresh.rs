//! `POST /auth/refresh`

use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Credential, Needs, Operation, Tag, model::Session, value::Secret};

/// Gets the next access token.
#[derive(Clone, Copy, Debug)]
pub struct Refresh;

impl Operation for Refresh {
    const ID: &'static str = "refresh";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/auth/refresh";
    const ACCESS: Access = Access::new(Credential::RefreshToken, Needs::Nothing);
    const TAG: Tag = Tag::Accounts;
    const SUMMARY: &'static str = "Go on with a session";
    const DESCRIPTION: &'static str = "\
        Takes the refresh token as the cookie or as `refresh_token`, and answers with the next \
        one in the same way. A refresh token is good for one use: a second use ends the session \
        everywhere, because another party may have it. So do not repeat it if the answer is lost, \
        unless the operator allows that for a while.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::TokenExpired];
    const SETS_COOKIE: bool = true;
    const IDEMPOTENT: bool = false;
    const BODY_OPTIONAL: bool = true;
    const EXAMPLE: &'static str = include_str!("refresh.json");

    type Path = ();
    type Query = ();
    type Body = RefreshToken;
    type Reply = Session;
}

/// The refresh token, if it is not in the cookie.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefreshToken {
    /// The refresh token, for clients without cookies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<Secret>,
}
