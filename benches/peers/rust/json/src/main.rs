//! Runs plain `serde_json`, which is the limit, and what others build upon it.

mod canonical;
mod parse;

use std::process::ExitCode;

use assent_bench_harness::{Request, Work, run};

fn main() -> ExitCode {
    run(prepare)
}

fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    canonical::prepare(request).or_else(|| parse::prepare(request))
}
