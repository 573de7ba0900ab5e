//! Starts relays of all kinds and puts load on them.
//!
//! The server is a process of its own on one core; this program is on another. What counts is the CPU
//! time of the server, so that the cost of the load is nobody's.

mod cases;
mod cores;
mod memory;
mod peers;
mod people;
mod pool;
mod programs;
mod server;
mod speech;

use std::{path::Path, process::ExitCode};

use assent_bench_harness::run_trial;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [peers::raw_tcp::SERVE] => return peers::raw_tcp::serve(),
        [people::MAKE, data] => return people::make(Path::new(data)),
        _ => {}
    }
    cores::be_the_load();
    cores::allow_many_files();
    run_trial(cases::prepare)
}
