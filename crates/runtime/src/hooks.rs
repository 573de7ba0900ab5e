//! Hooks: code that takes part in calls. It may refuse, ask, add context, change the input or stop the call.
//!
//! The hooks of an event run in the order in which they were registered. Each gets the input that the one
//! before it left. Of their opinions the strictest wins. A hook that fails or exceeds its timeout before the
//! tool runs ends the call, unless it was registered to fail open; after the tool has run it leaves a warning,
//! because nothing can undo what the tool did.

mod registry;
mod run;

use std::{borrow::Cow, future::Future, pin::Pin, sync::Arc, time::Duration};

use assent_ids::{HookId, HookRunId, InvocationId, ToolId};
use assent_json::Json;
use assent_policy::Decision;
use assent_protocol::agent_tool::{ErrorClass, HookEvent, PersistenceStrategy};

use crate::executor::Progress;

pub use registry::{Hooks, ToolPattern};
pub(crate) use run::{HookOutcome, run};

/// The timeout of a hook that has none of its own.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// The future of a hook's effects.
pub type Effects<'a> = Pin<Box<dyn Future<Output = Result<HookEffects, HookError>> + Send + 'a>>;

/// Code that runs at one moment of a call.
pub trait Hook: Send + Sync {
    /// Runs the hook and returns its effects on the call.
    fn run<'a>(&'a self, moment: &'a HookMoment) -> Effects<'a>;
}

/// Why a hook failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HookError(pub String);

/// The moment of a call at which a hook runs.
#[derive(Clone, Debug)]
pub struct HookMoment {
    /// The event.
    pub event: HookEvent,
    /// The id of this run of the hook.
    pub run: HookRunId,
    /// The call.
    pub invocation: InvocationId,
    /// The tool.
    pub tool: Arc<ToolId>,
    /// The namespace of the tool.
    pub namespace: Arc<str>,
    /// The name of the tool.
    pub name: Arc<str>,
    /// The current input.
    pub input: Json,
    /// The actor that requested the call.
    pub actor: Option<Arc<str>>,
    /// The session of the call.
    pub session: Option<Arc<str>>,
    /// The decision, in `permission_request` and `permission_decision`.
    pub decision: Option<Decision>,
    /// The output of the tool, in the events after it. A text is a JSON string.
    pub output: Option<Json>,
    /// The class of the failure, in `post_tool_use_failure`.
    pub error: Option<ErrorClass>,
    /// The input and output without sensitive values, which may leave the process.
    pub masked: Masked,
}

/// The input and output for a hook that is not trusted with sensitive values, as records show them.
#[derive(Clone, Debug)]
pub struct Masked {
    /// The input; each sensitive value is replaced by [`MASK`](crate::catalog::MASK) and a digest.
    pub input: Json,
    /// The output; no sensitive value of the input occurs in it.
    pub output: Option<Json>,
}

/// The effects of a hook on a call. All are optional.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookEffects {
    /// The input that replaces the current one.
    pub update_input: Option<Json>,
    /// The decision that the hook argues for, with a reason.
    pub decide: Option<(Decision, Option<String>)>,
    /// Texts for the model besides the result.
    pub context: Vec<String>,
    /// Texts for people.
    pub messages: Vec<String>,
    /// The progress of the hook.
    pub progress: Vec<Progress>,
    /// Why the call must stop. After the tool has run: why the agent should stop.
    pub stop: Option<HookStop>,
    /// The output that replaces the current one; only for tools behind a protocol.
    pub update_output: Option<Json>,
    /// A stricter strategy for storing the result.
    pub persistence: Option<PersistenceStrategy>,
}

/// Why a hook stops a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookStop {
    /// The reason, for people.
    pub reason: String,
    /// The code of the result's error, if the call has not run yet.
    pub code: Option<Cow<'static, str>>,
}

impl HookStop {
    /// A stop without a code.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), code: None }
    }

    /// A stop with a code.
    #[must_use]
    pub fn with_code(reason: impl Into<String>, code: impl Into<Cow<'static, str>>) -> Self {
        Self { reason: reason.into(), code: Some(code.into()) }
    }
}

impl HookEffects {
    /// Returns `true` if there are no effects.
    #[must_use]
    pub fn are_none(&self) -> bool {
        let Self {
            update_input,
            decide,
            context,
            messages,
            progress,
            stop,
            update_output,
            persistence,
        } = self;
        let lists_are_empty = context.is_empty() && messages.is_empty() && progress.is_empty();
        lists_are_empty
            && update_input.is_none()
            && decide.is_none()
            && stop.is_none()
            && update_output.is_none()
            && persistence.is_none()
    }
}

/// A hook with the conditions under which it runs.
#[derive(Clone)]
pub struct Registration {
    /// The id of the hook.
    pub id: HookId,
    /// The event at which it runs.
    pub event: HookEvent,
    /// The tools for which it runs.
    pub tools: ToolPattern,
    /// The time after which it counts as failed.
    pub timeout: Duration,
    /// What its failure does to the call.
    pub on_failure: OnFailure,
    /// Whether its `allow` may settle an `ask`; only for hooks from trusted configuration.
    pub authoritative: bool,
    /// The hook.
    pub hook: Arc<dyn Hook>,
}

/// What the failure of a hook does to the call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// The call ends.
    #[default]
    Closed,
    /// The call continues as if the hook had no effects.
    Open,
}
