//! One pipeline for every tool call.
//!
//! A host turns its native call into a [`Request`], the pipeline takes it through thirteen stages
//! (`pipeline.rs` lists them), and the outcome is exactly one [`CallResult`]. Every step is recorded in a
//! journal before it is acted upon.
//!
//! * [`catalog`]: the tools that exist; [`surface`]: those that are offered.
//! * An [`Executor`] runs a tool, [`Hook`]s take part in calls, and an [`Approver`] is asked.
//! * `assent-policy` decides whether a call may run, and [`SchedulerPolicy`] when.
//!
//! ```
//! use assent_runtime::prelude::*;
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut catalog = Catalog::new();
//! let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
//! catalog.register(
//!     ToolDefinition::native("weather", "forecast", schema)?,
//!     executor_fn(|_call| async { Ok(Output::text("sunny")) }),
//! )?;
//! let runtime = Runtime::builder()
//!     .catalog(catalog)
//!     .policy(Policy::read(b"- {id: weather, behavior: allow, tool: weather/*}", Format::Yaml)?)
//!     .build()?;
//! let input = ModelInput::from_value(&json!({"city": "Turku"}));
//! let result = runtime.call(Request::new("forecast", input)).await;
//! assert_eq!(result.model_text(), "sunny");
//! # Ok(())
//! # }
//! ```
//!
//! `docs/embedding.md` is a guide, and `examples/embed.rs` a program with an approver and a journal.
//!
//! **Invariant:** a tool runs only with a permit, and only the permission stage makes one.
//!
//! **Invariant:** no lock is held while waiting for anything outside of the runtime.

mod approval;
pub mod catalog;
mod control;
mod executor;
mod functions;
mod hooks;
mod panics;
mod pipeline;
pub mod prelude;
pub mod replay;
mod request;
mod results;
mod runtime;
mod scheduler;
pub mod surface;
pub mod telemetry;

pub use approval::{
    Answer, Answering, Approver, InputProvider, NoApprover, NoInput, Prompt, Remember, View,
    ViewLine,
};
pub use catalog::{Catalog, Tool, ToolDefinition};
pub use control::Control;
pub use executor::{Body, Call, Execution, Executor, Failure, Output, Progress, Question, Refusal};
pub use functions::{approver_fn, executor_fn};
pub use hooks::{
    DEFAULT_TIMEOUT as HOOK_TIMEOUT, Effects, Hook, HookEffects, HookError, HookMoment, HookStop,
    Hooks, Masked, OnFailure, Registration, ToolPattern,
};
pub use pipeline::Stage;
pub use request::{ModelInput, Request};
pub use results::{HiddenCharacters, PersistencePolicy};
pub use runtime::{BatchResults, BuildError, CallResult, ContextChange, Runtime, RuntimeBuilder};
pub use scheduler::{BatchProblem, PolicyProblem, SchedulerPolicy};
pub use surface::{Block, Surface, SurfaceContext};
