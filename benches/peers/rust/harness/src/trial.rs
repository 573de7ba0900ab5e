//! Cases in which somebody else does the work: a server in a process of its own.

use std::{process::ExitCode, time::Duration};

use serde_json::{Value, json};

use crate::{Request, clock::Elapsed, fail, print, report, request::Mode, unknown};

/// A server and what is asked of it.
pub trait Trial {
    /// What comes out, for the comparison with the other peers.
    fn answer(&mut self) -> Value;

    /// What it costs the server. `time` is how much CPU time the driver wants to see; a case that is
    /// bound by something else takes a multiple of it on the wall.
    fn measure(&mut self, time: Duration) -> Measured;
}

/// What a measurement gave.
pub struct Measured {
    /// How many operations there were.
    pub operations: usize,
    /// What they took: CPU time of the server, and time on the wall.
    pub spent: Elapsed,
    /// The most memory that the server had.
    pub peak_rss_kib: u64,
    /// Figures beyond these.
    pub figures: Vec<(&'static str, f64)>,
}

/// Runs an adapter of servers. `prepare` starts the server and what talks to it.
pub fn run_trial(prepare: impl FnOnce(&Request) -> Option<Box<dyn Trial>>) -> ExitCode {
    let request = match Request::from_arguments(std::env::args().skip(1)) {
        Ok(request) => request,
        Err(message) => return fail(&message),
    };
    let Some(mut trial) = prepare(&request) else { return unknown(&request) };
    match request.mode {
        Mode::Answer => print(&request, json!({"answer": trial.answer()})),
        Mode::Measure(time) => {
            let measured = trial.measure(time);
            if measured.operations == 0 {
                return fail(&format!("{} did nothing in {}", request.peer, request.case));
            }
            report(&request, &measured);
        }
    }
    ExitCode::SUCCESS
}
