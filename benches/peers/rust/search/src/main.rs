//! Runs search engines.

mod tantivy;

use std::process::ExitCode;

use assent_bench_harness::{Request, Work, run, search_work};

fn main() -> ExitCode {
    run(prepare)
}

fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    match request.peer.as_str() {
        "tantivy" => search_work::<tantivy::Tantivy>(request),
        _ => None,
    }
}
