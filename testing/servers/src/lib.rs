//! Real servers for tests: private, on free ports, ended with the test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that has no server fails loudly"
)]

mod nats;
mod port;
mod postgres;
mod process;
mod python;

pub use nats::Nats;
pub use port::free_port;
pub use postgres::{Database, Postgres, database};
pub use process::Process;
pub use python::python_with;
