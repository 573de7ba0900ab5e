//! Tests of `assent serve` as a black box, that kill it, starve it and take its neighbours away.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may fail loudly"
)]

mod crash;
mod database_faults;
mod failover;
mod faults;
mod faulty_disk;
mod load;
mod nodes;
mod power;
mod preload;

/// The binary under test.
const ASSENT: &str = env!("CARGO_BIN_EXE_assent");
