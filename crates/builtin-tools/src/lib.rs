//! The tools that a person's device runs for remote agents.
//!
//! * [`ReadFile`]: `read_file`, beneath folders that the owner chose.
//! * [`FetchUrl`]: `fetch_url`, from public hosts.
//! * [`SendNotification`], [`GetLocation`], [`ReadClipboard`]: what their names say.
//! * [`TOOLS`], [`serving`]: what the tools are called, which scopes they need, which arguments they take, and
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
mod fetch_url;
mod get_location;
mod read_clipboard;
mod read_file;
mod send_notification;
mod tool_spec;

pub use assent_outbound::Origins;
pub use builtin_tool::{BuiltinTool, Target, TargetKind};
pub use fetch_url::{FetchOptions, FetchUrl};
pub use get_location::{GetLocation, Location, LocationError};
pub use read_clipboard::ReadClipboard;
pub use read_file::{ReadFile, RootError, Roots};
pub use send_notification::{Channel, Notifier, SendNotification};
pub use tool_spec::{TOOLS, ToolSpec, serving};
