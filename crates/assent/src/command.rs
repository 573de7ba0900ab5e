//! The commands.

mod admin;
mod agent;
mod audit;
mod completions;
mod demo;
mod device;
mod manifest;
mod rehearse;
mod serve;

use crate::{cli::Command, exit::Exit};

pub(crate) fn run(command: Command) -> Exit {
    match command {
        Command::Agent(arguments) => agent::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Device(arguments) => device::run(&arguments),
        Command::Manifest(manifest) => manifest::run(manifest),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Admin(arguments) => admin::run(&arguments),
        Command::Rehearse(arguments) => rehearse::run(&arguments),
        Command::Audit(command) => audit::run(&command),
        Command::Completions { shell } => completions::completions(shell),
        Command::Man => completions::man(),
    }
}
