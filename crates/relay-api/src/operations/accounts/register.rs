//! `POST /auth/register`

use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Operation, Tag,
    model::Session,
    value::{Email, Locale, Name, NewPassword},
};

/// Makes an account and begins a session.
#[derive(Clone, Copy, Debug)]
pub struct Register;

impl Operation for Register {
    const ID: &'static str = "register";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/auth/register";
    const ACCESS: Access = Access::PUBLIC;
    const TAG: Tag = Tag::Accounts;
    const SUMMARY: &'static str = "Make an account";
    const DESCRIPTION: &'static str = "\
        The refresh token comes as the cookie `refresh_token`; with `\"cookie\": false` it comes \
        in the body instead.";
    const SUCCESS: u16 = 201;
    const ERRORS: &'static [ApiCode] = &[ApiCode::EmailTaken];
    const SETS_COOKIE: bool = true;
    const IDEMPOTENT: bool = false;
    const EXAMPLE: &'static str = include_str!("register.json");

    type Path = ();
    type Query = ();
    type Body = NewAccount;
    type Reply = Session;
}

/// An account to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewAccount {
    /// The address to log in with.
    pub email: Email,
    /// The password of the account. It is not the one that seals the keys.
    pub account_password: NewPassword,
    /// What others see.
    pub display_name: Name,
    /// The language of the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_locale: Option<Locale>,
    /// `false` for clients without cookies: the refresh token then comes in the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cookie: Option<bool>,
}
