//! One pipeline for every tool call, whoever asks for it.
//!
//! A door translates: its native call becomes a [`Request`], the pipeline takes it through thirteen
//! stages (`pipeline.rs` is the list), and what comes out is exactly one `ToolResult`. On the way,
//! everything is recorded in a journal before it is acted upon.
//!
//! * [`catalog`]: which tools there are; [`surface`]: which of them are on offer.
//! * [`Executor`] carries a tool out, [`Hook`]s look at calls, an [`Approver`] is asked.
//! * `assent-policy` decides, [`scheduler`] says when, [`results`] says what is kept.
//!
//! **Invariant:** a tool runs only with a permit, and only the permission stage makes one.
//!
//! **Invariant:** no lock is held while waiting for anything outside.

mod approval;
pub mod catalog;
mod control;
mod executor;
mod hooks;
mod panics;
mod pipeline;
pub mod replay;
mod request;
pub mod results;
mod runtime;
pub mod scheduler;
pub mod surface;
pub mod telemetry;

pub use approval::{
    Answer, Answering, Approver, InputProvider, NobodyToAnswer, NobodyToAsk, Prompt, Remember,
    View, ViewLine,
};
pub use catalog::{Catalog, Tool, ToolDefinition};
pub use control::Control;
pub use executor::{Body, Call, Execution, Executor, Failure, Output, Progress, Question, Refusal};
pub use hooks::{
    DEFAULT_TIMEOUT as HOOK_TIMEOUT, Effects, Hook, HookEffects, HookError, HookMoment, Hooks,
    Masked, OnFailure, Registration, SeenOutput, ToolPattern,
};
pub use pipeline::Stage;
pub use request::{ModelInput, Request};
pub use results::{HiddenCharacters, PersistencePolicy};
pub use runtime::{Batch, BuildError, CallResult, ContextChange, Runtime, RuntimeBuilder};
pub use scheduler::SchedulerPolicy;
pub use surface::{Block, Surface, SurfaceContext};
