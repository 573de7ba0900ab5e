//! Runs a command with one private PostgreSQL for all its tests: `with-postgres cargo nextest run`.

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(program) = arguments.next() else { return ExitCode::from(2) };
    let server = assent_test_servers::Postgres::start();
    let status =
        Command::new(program).args(arguments).env("ASSENT_TEST_POSTGRES", server.base()).status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
