//! Hooks outside of the process: commands and HTTP services that look at tool calls.
//!
//! Both get one JSON document, the *moment*, and may answer with another one, the *effects*;
//! `docs/hooks.md` describes them field by field. A hook that says nothing has no opinion. A hook whose
//! answer is not understood to the last field has failed, and the runtime decides what that means.
//!
//! * [`moment`] writes what a hook is told, [`effects`] reads what it answers.
//! * [`CommandHook`] starts a process per moment, [`HttpHook`] sends a request per moment.
//! * [`load`] reads a file that lists hooks, or says everything that is wrong with it.
//!
//! **Invariant:** a hook that is not trusted with sensitive values gets none, and nothing that stands
//! for one finds its way back into an input.
//!
//! **Invariant:** when a hook is given up, whatever it started is killed.

mod command;
mod conversation;
pub mod effects;
mod file;
mod http;
mod mask;
pub mod moment;
mod problem;
mod read;
mod secret;
mod terms;

pub use assent_json::Problem;
pub use command::{CommandHook, CommandSpec, EnvValue};
pub use file::{MAX_FILE_BYTES, MAX_TIMEOUT, Surroundings, load};
pub use http::{ClientError, HookUrl, HttpClient, HttpHook, HttpSpec, Roots, UrlError};
pub use moment::Sight;
pub use problem::Problems;
pub use secret::SecretRef;
pub use terms::Terms;

/// The version of both documents. A new one would be a new number, never another meaning of this one.
pub const VERSION: u64 = 1;
