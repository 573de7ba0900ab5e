//! Code that all long-running commands share.
//!
//! - [`settings`]: flags, environment variables and a file, with every mistake reported at once.
//! - [`logs`]: lines on standard error, as text or as JSON.
//! - [`announce`]: the ready line on standard output.
//! - [`Signals`]: termination signals.
//! - [`data_directory`]: the default data directory.
//! - [`runtime`]: threads, not more than cores; [`allow_many_files`]: as many connections as the system
//!   allows.

mod data_directory;
mod files;
pub mod logs;
mod ready;
mod runtime;
pub mod settings;
mod signals;

pub use data_directory::data_directory;
pub use files::allow_many_files;
pub use ready::announce;
pub use runtime::runtime;
pub use signals::Signals;
