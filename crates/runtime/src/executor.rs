//! What carries a tool call out.

use std::{future::Future, pin::Pin, sync::Arc, time::Duration};

use assent_ids::{InvocationId, NativeCallId, ToolId};
use assent_json::Json;
use assent_protocol::{
    agent_tool::{
        AbortReason, ArtifactRef, ErrorClass, ResourceRef, RetryAfter, ToolExternalMapping,
    },
    wire::Object,
};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::control::{Control, Report};

/// What an executor gives back, when it does.
pub type Execution<'a> = Pin<Box<dyn Future<Output = Result<Output, Failure>> + Send + 'a>>;

/// Carries calls out. It is only ever reached through the pipeline.
pub trait Executor: Send + Sync {
    /// Runs the tool. Dropping the future must stop the work or leave it to end by itself.
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a>;

    /// What would be touched beyond the arguments: the executable, files, hosts. It becomes part of
    /// what a person approves, and the call does not run if it has changed by then.
    fn environment(&self, _input: &Json) -> Option<Json> {
        None
    }

    /// Refuses values that the schema cannot, before anything is opened, sent or asked.
    ///
    /// # Errors
    /// The reason, for the caller.
    fn preflight(&self, _input: &Json) -> Result<(), Refusal> {
        Ok(())
    }

    /// The input as hooks and people should see it: paths and URLs in their normal form.
    fn normalize(&self, _input: &Json) -> Option<Json> {
        None
    }
}

/// Why values were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// `invalid_arguments`, `setup_required`, `sandbox_violation` or `credential_missing`.
    pub class: ErrorClass,
    /// Why, without the value.
    pub message: String,
}

/// One call, as its executor sees it.
#[derive(Debug)]
pub struct Call {
    /// Which call.
    pub invocation: InvocationId,
    /// Which tool.
    pub tool: Arc<ToolId>,
    /// What to do it with: exactly what was permitted.
    pub input: Json,
    /// The number of this attempt, from 1. Only tools that say so are tried again.
    pub attempt: u32,
    /// How long it may take.
    pub timeout: Duration,
    /// The sandbox it must run in.
    pub sandbox: Option<Arc<str>>,
    /// The names under which credentials can be fetched; never the credentials.
    pub credentials: Arc<[String]>,
    /// Who asked.
    pub actor: Option<Arc<str>>,
    /// Its id in the protocol it came through.
    pub native_call_id: Option<NativeCallId>,
    /// Native ids of the tool, then of the call.
    pub mappings: Vec<ToolExternalMapping>,
    pub(crate) control: Arc<Control>,
}

impl Call {
    /// Tells how far the work is.
    pub fn progress(&self, progress: Progress) {
        self.control.report(Report::Progress(progress));
    }

    /// Hands over a part of the result before the rest is there.
    pub fn partial(&self, part: Json) {
        self.control.report(Report::Partial(part));
    }

    /// Asks for something that is needed to go on. None if nobody answers; the call then waits until
    /// its time is over.
    pub async fn ask(&self, prompt: impl Into<String>) -> Option<Json> {
        let (reply, answer) = oneshot::channel();
        self.control.report(Report::NeedsInput(Question { prompt: prompt.into(), reply }));
        answer.await.ok()
    }

    /// Why the call should stop, if it should.
    #[must_use]
    pub fn aborted(&self) -> Option<AbortReason> {
        self.control.aborted()
    }

    /// Waits until the call should stop.
    pub async fn aborting(&self) -> AbortReason {
        self.control.aborting().await
    }

    /// Says that the call stops because it was asked to.
    pub fn stopping(&self) {
        self.control.report(Report::Stopping);
    }
}

/// A question of a running tool.
#[derive(Debug)]
pub struct Question {
    /// What it needs.
    pub prompt: String,
    /// Where the answer goes.
    pub(crate) reply: oneshot::Sender<Json>,
}

/// How far the work is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Words for people.
    pub message: Option<String>,
    /// From 0 to 100; anything else is left out.
    pub percent: Option<f64>,
    /// What is being done.
    pub current_step: Option<String>,
    /// Of how many.
    pub total_steps: Option<u64>,
    /// Bytes read so far.
    pub bytes_read: Option<u64>,
    /// Bytes written so far.
    pub bytes_written: Option<u64>,
    /// Lines so far.
    pub line_count: Option<u64>,
    /// Further facts, such as an exit code.
    pub extra: Object,
}

/// What a tool gave back.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The payload.
    pub body: Body,
    /// Durable deliverables.
    pub artifacts: Vec<ArtifactRef>,
    /// Things that can be fetched elsewhere.
    pub resources: Vec<ResourceRef>,
    /// A change of the conversation's context that it asks for.
    pub context_modifier: Option<Value>,
    /// Parts that failed although the rest worked.
    pub partial_failures: Vec<Failure>,
    /// Where the native output is kept.
    pub native_output_ref: Option<String>,
}

/// The payload of an output.
#[derive(Clone, Debug, Default)]
pub enum Body {
    /// The tool has nothing to say, and that is its answer.
    #[default]
    Empty,
    /// Text.
    Text(String),
    /// Data.
    Structured(Json),
    /// Blocks in the form of the standard.
    Blocks(Vec<assent_protocol::agent_tool::ContentBlock>),
    /// Bytes of some type.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
        /// Their type.
        media_type: String,
    },
}

/// Why a tool did not do it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// What kind of failure.
    pub class: ErrorClass,
    /// A stable, more specific code.
    pub code: Option<String>,
    /// What happened, for people.
    pub message: String,
    /// When to try again.
    pub retry_after: Option<RetryAfter>,
    /// The native error.
    pub native: Option<Box<Value>>,
    /// Durable deliverables that the tool made before it failed.
    pub artifacts: Vec<ArtifactRef>,
}

impl Failure {
    /// A failure of a class, with words for people.
    #[must_use]
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self {
            class,
            code: None,
            message: message.into(),
            retry_after: None,
            native: None,
            artifacts: Vec::new(),
        }
    }
}
