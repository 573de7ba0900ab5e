//! Tests of the store, on both databases.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod both;
mod migrations;
mod sqlite_only;
mod units;
mod write_behind;
