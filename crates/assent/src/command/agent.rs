//! `assent agent …`: an agent on the command line.

mod arguments;
mod call;
mod call_id;
mod conversation;
mod failure;
mod init;
mod keys;
mod outcome;
mod owner;
mod play;
mod run;
mod script;
mod send;
mod whoami;

use assent_agent::{Agent, AgentDirectory};

use self::failure::Failure;
use crate::{
    cli::{self, AgentCommand},
    exit::Exit,
};

pub(super) fn run(arguments: &cli::Agent) -> Exit {
    let as_json = arguments.format.json;
    let runtime = match assent_service::runtime() {
        Ok(runtime) => runtime,
        Err(error) => return Failure::from(error).report(as_json),
    };
    let directory = AgentDirectory::new(&arguments.dir);
    let ended = runtime.block_on(async {
        match &arguments.command {
            AgentCommand::Init(init) => init::run(&directory, init, as_json).await,
            AgentCommand::Whoami => whoami::run(&directory, as_json).await,
            AgentCommand::Send { words } => send::run(&directory, words, as_json).await,
            AgentCommand::Call(call) => call::run(&directory, call, as_json).await,
            AgentCommand::Keys { person } => keys::run(&directory, person, as_json).await,
            AgentCommand::Run(run) => run::run(&directory, run, as_json).await,
        }
    });
    ended.unwrap_or_else(|failure| failure.report(as_json))
}

/// Connects the agent of a directory.
async fn connect(directory: &AgentDirectory) -> Result<Agent, Failure> {
    Ok(Agent::connect(directory.options()?).await?)
}
