//! One operation of the relay: what it takes, what it answers, who may call it and how it can fail.

mod access;
mod described;
mod reply;
mod tag;

use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

pub use self::{
    access::{Access, Caller, Credential, Needs},
    described::Described,
    reply::{Reply, Shape},
    tag::Tag,
};

/// One operation of the relay.
pub trait Operation: 'static {
    /// Its name, in snake_case: the `operationId` of the OpenAPI document.
    const ID: &'static str;
    /// The method.
    const METHOD: Method;
    /// The path, with a `{name}` for every field of [`Self::Path`].
    const PATH: &'static str;
    /// Who may call it.
    const ACCESS: Access;
    /// What it is about.
    const TAG: Tag;
    /// What it does, in a line.
    const SUMMARY: &'static str;
    /// What else there is to know; may be empty.
    const DESCRIPTION: &'static str = "";
    /// The status of its answer.
    const SUCCESS: u16 = 200;
    /// Other statuses of success, each with what it means.
    const EXTRA_SUCCESS: &'static [(u16, &'static str)] = &[];
    /// How it can fail, beyond what follows from its access, its parameters and its body; see
    /// [`Described::errors`].
    const ERRORS: &'static [ApiCode] = &[];
    /// The headers it looks at, beyond those that every operation looks at.
    const REQUEST_HEADERS: &'static [Header] = &[];
    /// The headers of its answer, beyond those that every answer has.
    const RESPONSE_HEADERS: &'static [Header] = &[];
    /// Whether its answer sets the cookie with the refresh token.
    const SETS_COOKIE: bool = false;
    /// Whether doing it twice is the same as doing it once, so that a client whose connection broke may
    /// send it again.
    const IDEMPOTENT: bool;
    /// Whether a request without a body is the same as one with the body `{}`.
    const BODY_OPTIONAL: bool = false;
    /// The most bytes its body may have; more are `PAYLOAD_TOO_LARGE`.
    const BODY_LIMIT: usize = 64 * 1024;

    /// A body, as JSON: for the document. Empty if there is none.
    const EXAMPLE: &'static str = "";

    /// What stands in the path: a field per `{name}`, or `()`.
    type Path: Parameters;
    /// What stands in the query: optional fields, or `()`.
    type Query: Parameters;
    /// The body of the request, or `()` for none.
    type Body: Body;
    /// What it answers.
    type Reply: Reply;
}

/// Parameters in a path or a query: a struct with a field each, or `()` for none.
pub trait Parameters: Serialize + DeserializeOwned + JsonSchema + Send + 'static {}

impl<T: Serialize + DeserializeOwned + JsonSchema + Send + 'static> Parameters for T {}

/// The body of a request, or `()` for none.
pub trait Body: Serialize + DeserializeOwned + JsonSchema + Send + 'static {}

impl<T: Serialize + DeserializeOwned + JsonSchema + Send + 'static> Body for T {}

/// A header of a request or of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// What it looks like, as a regular expression.
    pub pattern: &'static str,
}
