//! The binary of Assent: it reads arguments, calls the libraries and prints the results.

mod cli;
mod command;
mod excerpt;
mod exit;
mod input;
mod output;
mod password;
mod problems;
mod remote;
mod service;

use clap::Parser as _;

fn main() -> std::process::ExitCode {
    let cli = cli::Cli::parse();
    command::run(cli.command).into()
}
