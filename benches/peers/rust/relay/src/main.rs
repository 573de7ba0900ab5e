//! Starts relays of all kinds and puts load on them.
//!
//! The server is a process of its own on one core; this program is on another. What counts is the CPU
//! time of the server, so that the cost of the load is nobody's.

mod cases;
mod cores;
mod memory;
mod peers;
mod pool;
mod programs;
mod server;
mod speech;

use std::process::ExitCode;

use assent_bench_harness::run_trial;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(peers::raw_tcp::SERVE) {
        return peers::raw_tcp::serve();
    }
    cores::be_the_load();
    cores::allow_many_files();
    run_trial(cases::prepare)
}
