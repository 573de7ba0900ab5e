//! Runs the schema validators that others wrote in Rust.

mod boon;
mod cases;
mod jsonschema;

use std::process::ExitCode;

use assent_bench_harness::{Request, Work, run};

fn main() -> ExitCode {
    run(prepare)
}

fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    match request.peer.as_str() {
        "jsonschema" => cases::prepare::<jsonschema::Bare>(request),
        "boon" => cases::prepare::<boon::Boon>(request),
        _ => None,
    }
}
