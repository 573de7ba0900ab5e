//! What every long-running command has in common.
//!
//! - [`settings`]: what an operator says by flags, variables and a file, in this order of weight, with
//!   every mistake named at once.
//! - [`logs`]: lines on standard error, as text or as JSON.
//! - [`announce`]: the one line on standard output that says that the service is ready.
//! - [`Signals`]: when to stop.
//! - [`data_directory`]: where data lies if nobody says.
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
