//! What each command does.

mod completions;
mod manifest;

use crate::{cli::Command, exit::Exit};

pub(crate) fn run(command: Command) -> Exit {
    match command {
        Command::Manifest(manifest) => manifest::run(manifest),
        Command::Completions { shell } => completions::completions(shell),
        Command::Man => completions::man(),
    }
}
