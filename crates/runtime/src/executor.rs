//! The interface between the pipeline and the code that runs a tool.

use std::{future::Future, pin::Pin, sync::Arc, time::Duration};

use assent_ids::{InvocationId, NativeCallId, ToolId};
use assent_json::Json;
use assent_protocol::{
    agent_tool::{
        AbortReason, ArtifactRef, ErrorClass, ResourceRef, RetryAfter, ToolExternalMapping,
    },
    wire::Object,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::control::{Control, Report};

/// The future of an execution.
pub type Execution<'a> = Pin<Box<dyn Future<Output = Result<Output, Failure>> + Send + 'a>>;

/// Runs the calls of a tool. Only the pipeline calls it.
pub trait Executor: Send + Sync {
    /// Runs the tool. When the future is dropped, the work must stop or end by itself.
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a>;

    /// What the call would touch beyond its arguments: the executable, files, hosts. It becomes part of
    /// what a person approves, and the call does not run if it has changed since. The executor finds it in
    /// [`Call::environment`].
    fn environment(&self, _input: &Json) -> Option<Json> {
        None
    }

    /// Refuses values that the schema cannot refuse, before anything is opened, sent or asked.
    ///
    /// # Errors
    /// The reason, for the caller.
    fn preflight(&self, _input: &Json) -> Result<(), Refusal> {
        Ok(())
    }

    /// The input with paths and URLs in their normal form, as hooks and people should see it; `None` if it
    /// is already.
    fn normalize(&self, _input: &Json) -> Option<Json> {
        None
    }
}

/// Why values were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// `invalid_arguments`, `setup_required`, `sandbox_violation`, `capability_gap` or `credential_missing`.
    pub class: ErrorClass,
    /// The reason, without the value.
    pub message: String,
}

/// One call, as its executor sees it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The id of the call.
    pub invocation: InvocationId,
    /// The id of the tool.
    pub tool: Arc<ToolId>,
    /// The input: exactly what was permitted.
    pub input: Json,
    /// What [`Executor::environment`] returned when the call was compared with what a person approved; `None`
    /// if no person was asked. Between that moment and this one, the world may have changed again.
    pub environment: Option<Json>,
    /// The number of this attempt, from 1. Only tools that support retries get more than one.
    pub attempt: u32,
    /// The time after which the attempt is given up.
    pub timeout: Duration,
    /// The sandbox it must run in.
    pub sandbox: Option<Arc<str>>,
    /// The names under which credentials can be fetched; never the credentials.
    pub credentials: Arc<[String]>,
    /// The actor that requested the call.
    pub actor: Option<Arc<str>>,
    /// The id of the call in the protocol it came through.
    pub native_call_id: Option<NativeCallId>,
    /// Native ids, of the tool first and then of the call.
    pub mappings: Vec<ToolExternalMapping>,
    pub(crate) control: Arc<Control>,
}

impl Call {
    /// Deserializes the arguments.
    ///
    /// # Errors
    /// `invalid_arguments` if they do not match `T`, which means that the schema of the tool accepts more than its
    /// code does.
    pub fn arguments<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_str(self.input.text()).map_err(|_| {
            // The error of serde may quote a value.
            let message = "the tool cannot read these arguments although its schema accepts them";
            Failure::new(ErrorClass::InvalidArguments, message)
        })
    }

    /// Reports progress.
    pub fn progress(&self, progress: Progress) {
        self.control.report(Report::Progress(progress));
    }

    /// Reports a part of the result before the rest is complete.
    pub fn partial(&self, part: Json) {
        self.control.report(Report::Partial(part));
    }

    /// Asks for input that the tool needs to continue. Without an answer it waits until the timeout of the
    /// call.
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

    /// Reports that the call stops because it was asked to.
    pub fn stopping(&self) {
        self.control.report(Report::Stopping);
    }
}

/// A question of a running tool.
#[derive(Debug)]
pub struct Question {
    /// The question.
    pub prompt: String,
    /// Receives the answer.
    pub(crate) reply: oneshot::Sender<Json>,
}

/// The progress of a running call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// A text for people.
    pub message: Option<String>,
    /// The percentage, from 0 to 100; other values are ignored.
    pub percent: Option<f64>,
    /// The current step.
    pub current_step: Option<String>,
    /// The number of steps.
    pub total_steps: Option<u64>,
    /// Bytes read so far.
    pub bytes_read: Option<u64>,
    /// Bytes written so far.
    pub bytes_written: Option<u64>,
    /// The number of lines so far.
    pub line_count: Option<u64>,
    /// Further facts, such as an exit code.
    pub extra: Object,
}

/// What a tool gave back.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The payload.
    pub body: Body,
    /// The artifacts that the call made.
    pub artifacts: Vec<ArtifactRef>,
    /// Resources that can be fetched elsewhere.
    pub resources: Vec<ResourceRef>,
    /// A requested change of the conversation's context.
    pub context_modifier: Option<Value>,
    /// Parts of the work that failed although the call succeeded.
    pub partial_failures: Vec<Failure>,
    /// A reference to the native output.
    pub native_output_ref: Option<String>,
}

impl Output {
    /// A text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { body: Body::Text(text.into()), ..Self::default() }
    }

    /// A value as structured data.
    ///
    /// # Errors
    /// `result_mapping_failed` if the value has no form in strict JSON, such as a map with keys that are not strings
    /// or an integer that a double cannot represent.
    pub fn json(value: &impl Serialize) -> Result<Self, Failure> {
        let unusable = |problem: String| {
            let message = format!("the result of the tool cannot be written as JSON: {problem}");
            Failure::new(ErrorClass::ResultMappingFailed, message)
        };
        let text = serde_json::to_string(value).map_err(|error| unusable(error.to_string()))?;
        let json = Json::read(text).map_err(|error| unusable(error.to_string()))?;
        Ok(Self { body: Body::Structured(json), ..Self::default() })
    }
}

/// The payload of an output.
#[derive(Clone, Debug, Default)]
pub enum Body {
    /// No output; the tool has none.
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

/// Why a tool failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The class of the failure.
    pub class: ErrorClass,
    /// A stable, more specific code.
    pub code: Option<String>,
    /// A description for people.
    pub message: String,
    /// When the call can be repeated.
    pub retry_after: Option<RetryAfter>,
    /// The native error.
    pub native: Option<Box<Value>>,
    /// The artifacts that the tool made before it failed.
    pub artifacts: Vec<ArtifactRef>,
}

impl Failure {
    /// A failure of a class, with a description for people.
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
