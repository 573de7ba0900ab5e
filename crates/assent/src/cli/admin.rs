//! `assent admin …`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Format;

#[derive(Debug, Args)]
pub(crate) struct Admin {
    /// The data directory of the relay [env: ASSENT_DATA] [default: the user's data directory]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) command: AdminCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminCommand {
    /// List agents, suspend and restore them
    #[command(subcommand, arg_required_else_help = true)]
    Agents(Agents),
    /// Suspend and restore relations
    #[command(subcommand, arg_required_else_help = true)]
    Relations(Relations),
    /// Keys that sign access tokens
    #[command(subcommand, arg_required_else_help = true)]
    Keys(Keys),
    /// Write a copy of the whole database while the relay runs
    Backup {
        /// The file to write; it must not exist
        file: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Agents {
    /// List agents
    List {
        /// Words to search for in names and descriptions
        #[arg(value_name = "WORDS")]
        search: Option<String>,
        /// Only agents in this state
        #[arg(long, value_enum)]
        state: Option<State>,
        /// The most agents to list
        #[arg(long, value_name = "N", default_value_t = 1000)]
        limit: usize,
    },
    /// Suspend an agent: it can send nothing, and no one can add it
    Suspend {
        /// The id of the agent, agt_…
        agent: String,
        /// The reason, which the affected people see
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Restore an agent
    Restore {
        /// The id of the agent, agt_…
        agent: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Relations {
    /// Suspend a relation; the owner of the agent cannot restore it
    Suspend {
        /// The id of the relation, rel_…
        relation: String,
        /// The reason, which the affected people see
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Restore a relation, also if the owner of the agent suspended it
    Restore {
        /// The id of the relation, rel_…
        relation: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// Sign with a new key; tokens of the previous key stay valid until they expire
    Rotate,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum State {
    Active,
    Suspended,
}
