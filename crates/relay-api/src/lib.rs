//! The interface of the relay as data.
//!
//! * [`Operation`]: what one HTTP operation takes, what it answers, who may call it, how it can fail.
//! * [`mod@operations`]: all of them, and the lists in which they stand.
//! * [`Access`]: who may call, precisely enough that every combination can be tested.
//! * [`Reply`]: how an answer stands in its envelope.
//! * [`ledger`]: what people granted, signed and chained.
//! * [`openapi`]: the OpenAPI 3.1 document.
//! * [`read`]: reads requests, and says what is wrong with them.
//! * [`socket`]: the frames of the WebSocket; [`webhook`]: what is delivered to agents that are called.
//! * [`mod@write`]: writes requests.
//! * [`value`]: what requests and answers are made of.
//!
//! Invariant: data only. Nothing here stores, decides or opens anything.

pub mod ledger;
pub mod model;
mod openapi;
mod operation;
pub mod operations;
pub mod path;
pub mod read;
pub mod socket;
pub mod value;
pub mod webhook;
pub mod write;

pub use openapi::{admin_openapi, openapi};
pub use operation::{
    Access, Body, Caller, Credential, Described, Header, Needs, Operation, Parameters, Reply,
    Shape, Tag,
};
pub use operations::{admin_operations, operations};
