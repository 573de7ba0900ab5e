//! The command line of `assent demo`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Let a scripted person answer
    #[arg(long, required = true)]
    pub(crate) script: bool,
    /// Keep everything in this directory, which must be empty or not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}
