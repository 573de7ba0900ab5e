//! The interface of the relay as data.
//!
//! * [`Operation`]: what one HTTP operation takes, what it answers, who may call it, how it can fail.
//! * [`Access`]: who may call, precisely enough that every combination can be tested.
//! * [`Reply`]: how an answer stands in its envelope.
//! * [`ledger`]: what people granted, signed and chained.
//! * [`read`]: reads requests, and says what is wrong with them.
//! * [`value`]: what requests and answers are made of.
//!
//! Invariant: data only. Nothing here stores, decides or opens anything.

pub mod ledger;
mod operation;
pub mod read;
pub mod value;

pub use operation::{
    Access, Body, Caller, Credential, Described, Needs, Operation, Parameters, Reply,
    RequestHeader, Shape, Tag,
};
