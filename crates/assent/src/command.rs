//! What each command does.

mod completions;
mod manifest;
mod rehearse;

use crate::{cli::Command, exit::Exit};

pub(crate) fn run(command: Command) -> Exit {
    match command {
        Command::Manifest(manifest) => manifest::run(manifest),
        Command::Rehearse(arguments) => rehearse::run(&arguments),
        Command::Completions { shell } => completions::completions(shell),
        Command::Man => completions::man(),
    }
}
