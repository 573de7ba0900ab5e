//! Runs a command in a process group of its own, with bounded output and a deadline.
//!
//! A [`Process`] writes to the standard input of a command and reads its standard output and standard error at the
//! same time, so neither side waits for the other forever.
//!
//! **Invariant:** no process of the group outlives the [`Process`], whether it ends, fails or is dropped. Only a
//! process that leaves the group, for example with `setsid`, is not reached.
//!
//! ```
//! use assent_process::{Limits, Process};
//! use tokio::process::Command;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let process = Process::spawn(Command::new("cat"))?;
//! let output = process.communicate(b"hello", &Limits::default()).await?;
//! assert!(output.status.success());
//! assert_eq!(output.stdout, b"hello");
//! # Ok(())
//! # }
//! ```

mod group;
mod limits;
mod pipes;
mod process;

pub use self::{
    limits::Limits,
    process::{CommunicateError, Output, Process},
};
