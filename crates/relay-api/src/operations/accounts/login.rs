//! `POST /auth/login`

use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Operation, Tag,
    model::Session,
    value::{Email, Password},
};

/// Begins a session.
#[derive(Clone, Copy, Debug)]
pub struct Login;

impl Operation for Login {
    const ID: &'static str = "login";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/auth/login";
    const ACCESS: Access = Access::PUBLIC;
    const TAG: Tag = Tag::Accounts;
    const SUMMARY: &'static str = "Log in";
    const DESCRIPTION: &'static str = "\
        After five failures the account is locked for fifteen minutes: `ACCOUNT_LOCKED`, also \
        for the right password. Whether an address has an account cannot be learned here.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::InvalidCredentials, ApiCode::AccountLocked];
    const SETS_COOKIE: bool = true;
    const IDEMPOTENT: bool = false;
    const EXAMPLE: &'static str = include_str!("login.json");

    type Path = ();
    type Query = ();
    type Body = Credentials;
    type Reply = Session;
}

/// Who wants to log in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Credentials {
    /// The address.
    pub email: Email,
    /// The password of the account.
    pub account_password: Password,
    /// `false` for clients without cookies: the refresh token then comes in the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cookie: Option<bool>,
}
