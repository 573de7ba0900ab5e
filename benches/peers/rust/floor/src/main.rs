//! Runs a tool call as a straight function.

mod floor;

use std::process::ExitCode;

use assent_bench_calls::{Counting, calls_work};
use assent_bench_harness::{Request, Work, run};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    run(prepare)
}

fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    match request.peer.as_str() {
        "straight-function" => calls_work::<floor::Floor>(request),
        _ => None,
    }
}
