//! `assent audit …`

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// List the calls of a journal, newest last
    Calls(Calls),
    /// Tell why a call was allowed or refused, and what came of it
    ///
    /// No value of an input or a result is shown: they are named by their digests.
    Why(Why),
    /// Check that a journal is whole, and that everything in it can have happened; exit 1 if not
    ///
    /// What cannot be read as a journal at all ends with 2.
    Verify {
        #[command(flatten)]
        journal: Journal,
        #[command(flatten)]
        format: Format,
    },
    /// Write a journal as JSON Lines
    Export(Export),
    /// Tell which past decisions other rules would turn round; exit 1 if there are any
    ///
    /// Every decision that rules, hooks and the mode have made is made again with the rules of a file, and nothing
    /// else: nothing runs, and nobody is asked. Decisions that rest on a grant are left out, because a journal does
    /// not tell which grants were in force.
    Replay(Replay),
}

#[derive(Debug, Args)]
pub(crate) struct Journal {
    /// The journal: a file that a runtime writes, also while it does, or an export of one
    #[arg(value_name = "JOURNAL")]
    pub(crate) path: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Calls {
    #[command(flatten)]
    pub(crate) journal: Journal,
    /// Only calls whose tool has this in its name
    #[arg(long, value_name = "WORD")]
    pub(crate) tool: Option<String>,
    /// Only calls that did not succeed
    #[arg(long)]
    pub(crate) failed: bool,
    /// How many at most, of the newest
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    #[command(flatten)]
    pub(crate) journal: Journal,
    /// The call, inv_…; `assent audit calls` lists them
    #[arg(value_name = "CALL")]
    pub(crate) call: String,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) journal: Journal,
    /// Write the records of the Agent Tool standard instead of the journal's own facts
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
    /// The rules, all of them: a list in YAML or JSON, or a document with such a list under `rules`, as a
    /// rehearsal has; one with Cedar policies is refused
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: PathBuf,
    #[command(flatten)]
    pub(crate) format: Format,
}
