//! The tools that a person's device runs for remote agents.
//!
//! * [`ReadFile`]: `read_file`, beneath folders that the owner chose.
//! * [`ToolSpec`], [`TOOLS`]: what the tools are called, which scope they need, which arguments they take, and
//!   which declared tools they serve.
//! * [`BuiltinTool`]: what a person is shown of a call, and what a silence covers.
//!
//! Each tool is an [`Executor`](assent_runtime::Executor). What it cannot do is refused by its `preflight`,
//! before a person is asked. What a call touches beyond its arguments is its `environment`, which is part of
//! what a person approves.
//!
//! **Invariant:** a tool that is given any JSON value answers with a result or with a refusal that has a class.

mod arguments;
mod builtin_tool;
mod content;
mod read_file;
mod tool_spec;

pub use builtin_tool::{BuiltinTool, Target, TargetKind};
pub use read_file::{ReadFile, RootError, Roots};
pub use tool_spec::{TOOLS, ToolSpec, serving};
