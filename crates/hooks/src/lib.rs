//! Hooks outside of the process: commands and HTTP services that inspect tool calls.
//!
//! Both get one JSON document, the *moment*, and may answer with another one, the *effects*;
//! `docs/hooks.md` describes them field by field. A hook with an empty answer has no opinion. A hook whose
//! answer has any unknown or wrong field has failed, and the runtime decides what that means.
//!
//! * [`moment`] writes the document for a hook, [`effects`] reads its answer.
//! * [`CommandHook`] starts a process per moment, [`HttpHook`] sends a request per moment.
//! * [`load`] reads a file that lists hooks, and reports every mistake with its line.
//!
//! **Invariant:** a hook that is not trusted with sensitive values gets none, and a mask never becomes a
//! part of an input.
//!
//! **Invariant:** when a hook is canceled, all processes that it started are killed.

mod command;
mod conversation;
pub mod effects;
mod file;
mod http;
mod mask;
pub mod moment;
mod secret;
mod terms;

pub use assent_document::{Problem, Problems};
pub use command::{CommandHook, CommandSpec, EnvValue};
pub use file::{HookEnvironment, MAX_FILE_BYTES, MAX_TIMEOUT, load};
pub use http::{ClientError, HookUrl, HttpClient, HttpHook, HttpSpec, Roots, UrlError};
pub use moment::Sight;
pub use secret::SecretRef;
pub use terms::Terms;

/// The version of both documents. An incompatible change gets a new number.
pub const VERSION: u64 = 1;
