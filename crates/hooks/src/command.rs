//! A hook that is a command: a process per moment, JSON on its standard input and output.

mod complaint;

use std::{collections::BTreeMap, ffi::OsString, io, path::PathBuf};

use assent_policy::Decision;
use assent_process::{CommunicateError, Limits, Output, Process};
use assent_protocol::agent_tool::HookEvent;
use assent_runtime::{Effects, Hook, HookEffects, HookError, HookMoment};

use self::complaint::Complaint;
use crate::{
    SecretRef, Terms,
    conversation::{Conversation, ConversationError},
    secret::SecretError,
};

/// The exit code with which a command denies a call, as in the hooks of coding agents.
const DENY: i32 = 2;

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
    #[error("{0}")]
    Communicate(CommunicateError),
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

impl From<CommunicateError> for CommandError {
    fn from(error: CommunicateError) -> Self {
        match error {
            CommunicateError::StdoutTooLong(limit) => ConversationError::TooLong(limit).into(),
            CommunicateError::StillOpen => Self::StillOpen,
            error => Self::Communicate(error),
        }
    }
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
        let mut question = self.conversation.question(moment)?;
        question.push('\n');
        let _turn = self.conversation.turn().await;
        let process = Process::spawn(self.command().await?).map_err(|error| {
            CommandError::Start { program: self.spec.program.display().to_string(), error }
        })?;
        let limits = Limits {
            stdout: self.conversation.max_answer_bytes(),
            stderr: complaint::MAX_BYTES,
            time: None,
        };
        let output = process.communicate(question.as_bytes(), &limits).await?;
        self.judge(moment, &output)
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
    fn judge(&self, moment: &HookMoment, output: &Output) -> Result<HookEffects, CommandError> {
        let complaint = Complaint::new(&output.stderr, output.stderr_truncated);
        match output.status.code() {
            Some(0) => Ok(self.conversation.answer(moment, &output.stdout)?),
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
