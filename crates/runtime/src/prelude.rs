//! The types and functions that most programs with an embedded runtime use.
//!
//! ```
//! use assent_runtime::prelude::*;
//! ```

pub use assent_journal::{Explanation, Journal, SqliteJournal};
pub use assent_json::Json;
pub use assent_policy::{Format, Grants, Mode, Policy};
pub use assent_protocol::agent_tool::ErrorClass;

pub use crate::{
    Answer, Approver, Call, CallResult, Catalog, Executor, Failure, ModelInput, Output, Prompt,
    Remember, Request, Runtime, RuntimeBuilder, ToolDefinition, approver_fn, executor_fn,
};
