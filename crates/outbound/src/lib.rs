//! How Assent calls addresses that strangers gave it.
//!
//! Whoever may name an address that a server calls can make that server knock on doors that only it can
//! reach: its own loopback, the database next to it, the metadata service of its cloud. So an address is
//! judged three times, each time without trusting the time before:
//!
//! 1. [`Target::parse`] judges the text, when it is registered: `https`, a public name or address, a port
//!    of web services, nothing hidden.
//! 2. [`Client::vet`] judges what the name means right now, if whoever registers it should hear of it.
//! 3. Every connection looks the name up once, judges every address with [`address::vet`], and dials one
//!    of exactly these. There is no second lookup that could answer differently.
//!
//! [`Client`] bounds what the other side can take: time, bytes of the head, bytes of the body. It follows
//! no redirects, knows no proxies and unpacks nothing.
//!
//! [`standard_webhooks`] signs what is sent, so that the receiver knows who sent it, and verifies what is
//! received.
//!
//! **Invariant:** no socket is opened to an address that [`address::vet`] refuses, except for the exact
//! origins of [`Origins`], and except with [`Reach::Anywhere`], which is for addresses that the owner of
//! this machine wrote down.

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
pub use upgrade::{Stream, Upgrade};
