//! Runs Assent itself.

mod canonical;
mod diff;
mod runtime;
mod schema;
mod search;

use std::process::ExitCode;

use assent_bench_calls::Counting;
use assent_bench_harness::{Request, Work, run};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    run(prepare)
}

fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    match request.peer.as_str() {
        "assent" => canonical::prepare(request)
            .or_else(|| schema::prepare(request))
            .or_else(|| diff::prepare(request))
            .or_else(|| runtime::prepare(request))
            .or_else(|| search::prepare(request)),
        "sqlite" => runtime::prepare_sqlite(request),
        "assent-read" => diff::prepare_reading(request),
        "substring-scan" => search::prepare_scan(request),
        _ => None,
    }
}
