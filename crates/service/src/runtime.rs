//! The threads of a service.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// The number of threads for blocking work: files, name resolution, passwords.
const BLOCKING: usize = 32;

/// A runtime with a thread per core.
///
/// # Errors
///
/// If the system gives no threads.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().max_blocking_threads(BLOCKING).enable_all().build()
}
