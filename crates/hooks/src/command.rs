//! A hook that is a command: a process per moment, JSON on its standard input and output.

mod complaint;
mod group;
mod talk;

use std::{collections::BTreeMap, ffi::OsString, io, path::PathBuf, time::Duration};

use assent_policy::Decision;
use assent_protocol::agent_tool::HookEvent;
use assent_runtime::{Effects, Hook, HookEffects, HookError, HookMoment};
use tokio::time::timeout;

use self::{
    complaint::Complaint,
    group::Group,
    talk::{Said, talk},
};
use crate::{
    SecretRef, Terms,
    conversation::{Conversation, ConversationError},
    secret::SecretError,
};

/// The exit code with which a command denies a call, as in the hooks of coding agents.
const DENY: i32 = 2;

/// How long the output of a process that has ended may stay open.
const STILL_OPEN: Duration = Duration::from_secs(1);

/// How a command is started. There is no shell, and nothing of this process's environment but what is
/// named here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSpec {
    /// The executable. Absolute: what a search path finds can change.
    pub program: PathBuf,
    /// Its arguments. Every user of the machine can read them, so they hold no secrets.
    pub arguments: Vec<String>,
    /// Where it runs.
    pub directory: PathBuf,
    /// Its whole environment.
    pub environment: BTreeMap<String, EnvValue>,
}

/// A value in the environment of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnvValue {
    /// This text.
    Given(String),
    /// What is found there when the command starts.
    From(SecretRef),
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error("`{program}` cannot be started: {error}; check its path, its rights and its `cwd`")]
    Start { program: String, error: io::Error },
    #[error("it could not be talked to: {0}")]
    Pipe(#[from] io::Error),
    #[error("it ended with exit code {code}{complaint}")]
    Exit { code: i32, complaint: Complaint },
    #[error(
        "it ended with exit code 2, which denies a call; in `{0}` there is nothing left to deny"
    )]
    NothingToDeny(HookEvent),
    #[error("it was ended by a signal{0}")]
    Signal(Complaint),
    #[error(
        "it has ended, but something that it started keeps its output open; let that redirect its own"
    )]
    StillOpen,
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error(transparent)]
    Conversation(#[from] ConversationError),
}

/// A hook that starts a process for every moment.
///
/// Dropping a run kills the process and everything that it started and that stayed in its process group;
/// so does its end. A command has no time limit of its own: the runtime gives up on it.
pub struct CommandHook {
    spec: CommandSpec,
    conversation: Conversation,
}

impl CommandHook {
    /// A hook that runs this command.
    #[must_use]
    pub fn new(terms: Terms, spec: CommandSpec) -> Self {
        Self { spec, conversation: Conversation::new(terms) }
    }

    async fn ask(&self, moment: &HookMoment) -> Result<HookEffects, CommandError> {
        let question = self.conversation.question(moment)?;
        let _turn = self.conversation.turn().await;
        let (group, pipes) = Group::start(self.command().await?).map_err(|error| {
            CommandError::Start { program: self.spec.program.display().to_string(), error }
        })?;
        let mut talk = std::pin::pin!(talk(pipes, &question, self.conversation.max_answer_bytes()));
        let talked = tokio::select! {
            said = &mut talk => Some(said?),
            ended = group.ended() => { ended?; None }
        };
        let status = group.finish().await?;
        let said = match talked {
            Some(said) => said,
            None => timeout(STILL_OPEN, talk).await.map_err(|_| CommandError::StillOpen)??,
        };
        self.judge(moment, status.code(), said)
    }

    /// The command with its environment. Values are looked up as late as possible.
    async fn command(&self) -> Result<tokio::process::Command, SecretError> {
        let mut command = tokio::process::Command::new(&self.spec.program);
        command.args(&self.spec.arguments).current_dir(&self.spec.directory).env_clear();
        for (name, value) in &self.spec.environment {
            let value: OsString = match value {
                EnvValue::Given(text) => text.into(),
                EnvValue::From(place) => place.fetch().await?.expose().into(),
            };
            command.env(name, value);
        }
        Ok(command)
    }

    /// What the end of a process means.
    fn judge(
        &self,
        moment: &HookMoment,
        code: Option<i32>,
        said: Said,
    ) -> Result<HookEffects, CommandError> {
        let Said { answer, complaint } = said;
        match code {
            Some(0) => Ok(self.conversation.answer(moment, &answer)?),
            Some(DENY) => match moment.event {
                HookEvent::PreToolUse | HookEvent::PermissionRequest => Ok(denied(complaint)),
                event => Err(CommandError::NothingToDeny(event)),
            },
            Some(code) => Err(CommandError::Exit { code, complaint }),
            None => Err(CommandError::Signal(complaint)),
        }
    }
}

fn denied(complaint: Complaint) -> HookEffects {
    HookEffects { decide: Some((Decision::Deny, complaint.into_text())), ..HookEffects::default() }
}

impl Hook for CommandHook {
    fn run<'a>(&'a self, moment: &'a HookMoment) -> Effects<'a> {
        Box::pin(
            async move { self.ask(moment).await.map_err(|error| HookError(error.to_string())) },
        )
    }
}
