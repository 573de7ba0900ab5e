//! Calls untrusted addresses safely.
//!
//! A server that calls an address from a user can be abused to reach systems that only the server can reach:
//! its loopback, a database, the metadata service of its cloud. So an address is checked three times, each
//! time independently:
//!
//! 1. [`Target::parse`] checks the text when it is registered: `https`, a public name or address, a port
//!    of web services, no hidden parts.
//! 2. [`Client::vet`] optionally resolves the name at registration.
//! 3. Every connection resolves the name once, checks every address with [`address::vet`], and dials one
//!    of exactly these. There is no second lookup that could return something else.
//!
//! [`Client`] bounds the time, the head and the body of an answer. It follows no redirects, uses no proxies
//! and decompresses nothing.
//!
//! [`standard_webhooks`] signs and verifies messages.
//!
//! **Invariant:** no socket is opened to an address that [`address::vet`] refuses, except for the exact
//! origins of [`Origins`], and except with [`Reach::Anywhere`], which is for addresses that the operator
//! configured.

pub mod address;
mod answer;
mod client;
mod connector;
mod dial;
mod error;
mod limits;
mod origin;
mod reach;
mod request;
mod resolve;
mod roots;
pub mod standard_webhooks;
mod target;
#[cfg(unix)]
mod unix_socket;
mod upgrade;

pub use answer::{Answer, Body, Response};
pub use client::{Client, ClientError, ClientOptions};
pub use error::CallError;
pub use limits::{Limits, Reuse};
pub use origin::{Origin, OriginError, Origins};
pub use reach::Reach;
pub use request::Request;
pub use resolve::{Addresses, Resolve, SystemResolver};
pub use roots::Roots;
pub use target::{MAX_TARGET_BYTES, Target, TargetError};
#[cfg(unix)]
pub use unix_socket::{UnixSocketError, send_over_unix_socket};
pub use upgrade::{Stream, Upgrade};
