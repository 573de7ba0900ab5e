//! People and agents who talk to a running relay, for tests that treat it as a black box.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "a test may fail loudly"
)]

mod http_client;
mod parties;
mod process;
mod socket;

pub use http_client::{Address, Answer, Lost};
pub use parties::{Agent, Person, Relation, manifest};
pub use process::Relay;
pub use socket::{Event, Socket};
