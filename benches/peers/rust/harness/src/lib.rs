//! What the Rust adapters share: the request, the clock and the printed lines.
//!
//! An adapter runs one case of one peer and ends. The driver starts it as
//!
//! ```text
//! adapter answer  ITEM CASE PEER DATA_DIRECTORY
//! adapter measure ITEM CASE PEER DATA_DIRECTORY CPU_MILLISECONDS
//! ```
//!
//! `answer` prints what the peer makes of the data, so that the driver can see whether all peers do
//! the same work; `measure` prints what the work costs.

mod clock;
mod corpus;
mod request;
mod search;
mod trial;

use std::{hint::black_box, process::ExitCode, time::Duration};

use serde_json::{Value, json};

use self::request::Mode;
pub use self::{
    clock::{Clock, Elapsed},
    corpus::{Instance, Tool, bytes, diff_pair, manifest, tools},
    request::Request,
    search::{Engine, SearchTool, Timings, read_tools, search_work},
    trial::{Measured, Trial, run_trial},
};

/// Looking at the clock is not free, so it is done no more often than this.
const LOOK: Duration = Duration::from_millis(2);

/// The work of one peer in one case.
pub trait Work {
    /// What comes out, for the comparison with the other peers.
    fn answer(&mut self) -> Value;

    /// Does the work once, and says how many operations that were.
    fn pass(&mut self) -> usize;

    /// Called between warming up and measuring.
    fn begin(&mut self) {}

    /// Makes anew what a pass uses up, before each pass, and says whether there is such a thing. It
    /// does not count.
    fn renew(&mut self) -> bool {
        false
    }

    /// Figures beyond CPU time, wall time and memory.
    fn figures(&mut self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// Runs an adapter. `prepare` does what does not count: reading files, compiling schemas.
pub fn run(prepare: impl FnOnce(&Request) -> Option<Box<dyn Work>>) -> ExitCode {
    let request = match Request::from_arguments(std::env::args().skip(1)) {
        Ok(request) => request,
        Err(message) => return fail(&message),
    };
    let Some(mut work) = prepare(&request) else { return unknown(&request) };
    match request.mode {
        Mode::Answer => print(&request, json!({"answer": work.answer()})),
        Mode::Measure(cpu) => measure(&request, work.as_mut(), cpu),
    }
    ExitCode::SUCCESS
}

fn unknown(request: &Request) -> ExitCode {
    fail(&format!("{} does not run the case {}", request.peer, request.case))
}

fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}

fn measure(request: &Request, work: &mut dyn Work, cpu: Duration) {
    let passes = warm_up(work, cpu / 2);
    work.begin();
    let mut operations = 0;
    let mut spent = Elapsed::default();
    while spent.cpu < cpu {
        let (done, took) = timed(work, passes);
        operations += done;
        spent += took;
    }
    let figures = work.figures();
    let peak_rss_kib = clock::peak_memory_kib();
    report(request, &Measured { operations, spent, peak_rss_kib, figures });
}

/// Prints a line for each figure.
fn report(request: &Request, measured: &Measured) {
    let spent = measured.spent;
    let (cpu_us, wall_us) = (microseconds(spent.cpu), microseconds(spent.wall));
    let mut metrics = vec![
        ("cpu_us_per_op", cpu_us / measured.operations as f64),
        ("wall_us_per_op", wall_us / measured.operations as f64),
        ("peak_rss_kib", measured.peak_rss_kib as f64),
    ];
    metrics.extend(&measured.figures);
    for (metric, value) in metrics {
        let figures =
            json!({"metric": metric, "value": value, "cpu_us": cpu_us, "wall_us": wall_us});
        print(request, figures);
    }
}

/// Fills caches and finds out how many passes to make between two looks at the clock.
fn warm_up(work: &mut dyn Work, cpu: Duration) -> usize {
    let start = Clock::now();
    let mut passes = 1;
    while start.elapsed().cpu < cpu {
        let (_, took) = timed(work, passes);
        if took.cpu < LOOK {
            passes *= 2;
        }
    }
    passes
}

/// How many operations so many passes are, and what they take. What is made anew lasts for one pass.
fn timed(work: &mut dyn Work, passes: usize) -> (usize, Elapsed) {
    let passes = if work.renew() { 1 } else { passes };
    let start = Clock::now();
    let operations = (0..passes).map(|_| black_box(work.pass())).sum();
    (operations, start.elapsed())
}

fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

fn print(request: &Request, more: Value) {
    let mut line = json!({"item": request.item, "case": request.case, "peer": request.peer});
    if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
        line.extend(more);
    }
    println!("{line}");
}
