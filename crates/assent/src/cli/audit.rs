//! `assent audit …`

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// List the calls of a journal, newest last
    Calls(Calls),
    /// Explain why a call was allowed or refused, and show its outcome
    ///
    /// Shows no values of inputs or results, only their digests.
    Why(Why),
    /// Check that a journal is complete and consistent; exit 1 if not
    ///
    /// A file that is not a journal exits with 2.
    Verify {
        #[command(flatten)]
        journal: Journal,
        #[command(flatten)]
        format: Format,
    },
    /// Write a journal as JSON Lines
    Export(Export),
    /// Show which past decisions would change under other rules; exit 1 if there are any
    ///
    /// Decisions by rules, hooks and the mode are made again with the rules of a file; no tool runs and no person
    /// is asked. Decisions that rest on a grant are left out, because a journal does not record which grants
    /// were in force.
    Replay(Replay),
}

#[derive(Debug, Args)]
pub(crate) struct Journal {
    /// The journal of a runtime, which may be running, or an export of one
    #[arg(value_name = "JOURNAL")]
    pub(crate) path: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Calls {
    #[command(flatten)]
    pub(crate) journal: Journal,
    /// Only calls of tools whose name contains this
    #[arg(long, value_name = "WORD")]
    pub(crate) tool: Option<String>,
    /// Only calls that did not succeed
    #[arg(long)]
    pub(crate) failed: bool,
    /// The most calls to list, the newest ones
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    #[command(flatten)]
    pub(crate) journal: Journal,
    /// The id of the call, inv_…; `assent audit calls` lists them
    #[arg(value_name = "CALL")]
    pub(crate) call: String,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) journal: Journal,
    /// Write the records of the Agent Tool standard instead of the facts of the journal
    #[arg(long)]
    pub(crate) records: bool,
    /// Write to this file, which must not exist, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) journal: Journal,
    /// The complete rules: a list in YAML or JSON, or a document with such a list under `rules`, such as a
    /// rehearsal; a document with Cedar policies is refused
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: PathBuf,
    #[command(flatten)]
    pub(crate) format: Format,
}
