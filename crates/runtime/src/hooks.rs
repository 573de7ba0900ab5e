//! Code that looks at calls on their way: it may refuse, ask, add, change or stop.
//!
//! Hooks of one event run in the order in which they were registered. Each sees the input that the one
//! before it left; their opinions are folded, and the strictest wins. A hook that breaks or takes too
//! long before a call ends that call, unless it was registered to fail open; after a call it leaves a
//! warning, because nothing can undo what the tool did.

mod registry;
mod run;

use std::{future::Future, pin::Pin, sync::Arc, time::Duration};

use assent_ids::{HookId, HookRunId, InvocationId, ToolId};
use assent_json::Json;
use assent_policy::Decision;
use assent_protocol::agent_tool::{ErrorClass, HookEvent, PersistenceStrategy};

use crate::executor::Progress;

pub use registry::{Hooks, ToolPattern};
pub(crate) use run::{HookOutcome, run};

/// How long a hook may take if it does not say.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// What a hook gives back, when it does.
pub type Effects<'a> = Pin<Box<dyn Future<Output = Result<HookEffects, HookError>> + Send + 'a>>;

/// Looks at one moment of a call.
pub trait Hook: Send + Sync {
    /// What the hook has to say.
    fn run<'a>(&'a self, moment: &'a HookMoment) -> Effects<'a>;
}

/// A hook that broke.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HookError(pub String);

/// The moment that a hook looks at.
#[derive(Clone, Debug)]
pub struct HookMoment {
    /// What is happening.
    pub event: HookEvent,
    /// This look of this hook at it.
    pub run: HookRunId,
    /// To which call.
    pub invocation: InvocationId,
    /// Of which tool.
    pub tool: Arc<ToolId>,
    /// The tool's boundary.
    pub namespace: Arc<str>,
    /// The tool's name.
    pub name: Arc<str>,
    /// The input, as it is at this moment.
    pub input: Json,
    /// Who asks.
    pub actor: Option<Arc<str>>,
    /// In which session.
    pub session: Option<Arc<str>>,
    /// What was decided, in `permission_request` and `permission_decision`.
    pub decision: Option<Decision>,
    /// What the tool gave back, in the events after it. A text is a JSON string.
    pub output: Option<Json>,
    /// What went wrong, in `post_tool_use_failure`.
    pub error: Option<ErrorClass>,
    /// What may leave the process.
    pub masked: Masked,
}

/// What a hook sees that is not trusted with sensitive values: what records show.
#[derive(Clone, Debug)]
pub struct Masked {
    /// The input; each sensitive value is replaced by [`MASK`](crate::catalog::MASK) and a digest.
    pub input: Json,
    /// The output, in which no sensitive value of the input turns up again.
    pub output: Option<Json>,
}

/// What a hook has to say. Nothing of it is obligatory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookEffects {
    /// The whole input that replaces the present one.
    pub update_input: Option<Json>,
    /// Its opinion, with a reason.
    pub decide: Option<(Decision, Option<String>)>,
    /// What the model should know besides the result.
    pub context: Vec<String>,
    /// What people should know.
    pub messages: Vec<String>,
    /// How far the hook is.
    pub progress: Vec<Progress>,
    /// The call must not go on, and why. After a call: the agent should not go on.
    pub stop: Option<String>,
    /// The whole output that replaces the present one; only for tools behind a protocol.
    pub update_output: Option<Json>,
    /// A stricter way to store the result.
    pub persistence: Option<PersistenceStrategy>,
}

impl HookEffects {
    /// Whether the hook has nothing to say.
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

/// A hook and when it runs.
#[derive(Clone)]
pub struct Registration {
    /// Its name.
    pub id: HookId,
    /// What it reacts to.
    pub event: HookEvent,
    /// For which tools.
    pub tools: ToolPattern,
    /// How long it may take.
    pub timeout: Duration,
    /// Whether its failure ends the call.
    pub on_failure: OnFailure,
    /// Whether configuration that people trust lets its `allow` settle an ask.
    pub authoritative: bool,
    /// The hook.
    pub hook: Arc<dyn Hook>,
}

/// What the failure of a hook does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// The call ends.
    #[default]
    Closed,
    /// The hook counts as having no opinion.
    Open,
}
