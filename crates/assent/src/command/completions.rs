//! Shell completions and the manual page, made from the command line's own description.

use clap::CommandFactory as _;

use crate::{cli::Cli, exit::Exit, output};

pub(super) fn completions(shell: clap_complete::Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "assent", &mut script);
    output::raw(&script)
}

/// One page for the command and all its subcommands.
pub(super) fn man() -> Exit {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    match render(&command, &mut page) {
        Ok(()) => output::raw(&page),
        Err(_) => Exit::WrongUse,
    }
}

fn render(command: &clap::Command, page: &mut Vec<u8>) -> std::io::Result<()> {
    clap_mangen::Man::new(command.clone()).render(page)?;
    for subcommand in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        render(subcommand, page)?;
    }
    Ok(())
}
