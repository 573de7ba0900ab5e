//! The command line of `assent agent`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;

#[derive(Debug, Args)]
pub(crate) struct Agent {
    /// The directory with the keys, tokens and open calls of the agent
    #[arg(long, value_name = "DIR", global = true, default_value = "agent")]
    pub(crate) dir: PathBuf,
    #[command(flatten)]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) command: AgentCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// Make an agent, and print the link with which people add it
    ///
    /// Its owner is the account with `--email`, whose password is read from ASSENT_ACCOUNT_PASSWORD, from a file or from
    /// the terminal, or the account whose access token is in ASSENT_TOKEN. If the command was interrupted, it goes on
    /// where it stopped.
    Init(Init),
    /// Show the agent, its link, and the people who have added it
    Whoami,
    /// Send a text to a person
    ///
    /// Exit 0 if the relay has stored the message.
    Send {
        /// The conversation, cnv_…, which may be left out if there is only one; then the text
        #[arg(value_names = ["CONVERSATION", "TEXT"], num_args = 1..=2, required = true)]
        words: Vec<String>,
    },
    /// Call a tool on the device of a person, and wait for the answer
    ///
    /// Exit 0 if the tool ran, 1 if it failed, 2 if the command line is wrong, 3 if the call was denied or the person did
    /// not answer in time, 4 if no answer came in time.
    Call(Call),
    /// Show the number that the agent and a person compare
    Keys {
        /// The person, usr_…
        person: String,
    },
    /// Let the agent play a script: wait, send texts, call tools, publish manifests
    ///
    /// Prints a line of JSON per step. Exit 0 if every `expect` held, 1 if one did not or a step failed, 2 if the script is
    /// wrong. docs/agents.md describes scripts.
    Run(RunScript),
}

#[derive(Debug, Args)]
pub(crate) struct RunScript {
    /// The script, as YAML or JSON, or - for standard input
    pub(crate) script: PathBuf,
    /// The relay of the agent, if the script makes it
    #[arg(long, value_name = "URL")]
    pub(crate) relay: Option<String>,
    #[command(flatten)]
    pub(crate) owner: Owner,
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The relay, such as `https://relay.example`
    #[arg(long, value_name = "URL")]
    pub(crate) relay: String,
    /// The name that people see
    #[arg(long, value_name = "NAME")]
    pub(crate) name: String,
    /// The manifest, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) owner: Owner,
}

/// The account that an agent belongs to.
#[derive(Debug, Args)]
pub(crate) struct Owner {
    /// The address of the owner's account
    #[arg(long, value_name = "EMAIL")]
    pub(crate) email: Option<String>,
    /// A file with the password of the account
    #[arg(long, value_name = "FILE", requires = "email")]
    pub(crate) password_file: Option<PathBuf>,
    /// Make the account
    #[arg(long, requires = "email", requires = "owner_name")]
    pub(crate) register: bool,
    /// The name of the owner, for a new account
    #[arg(long, value_name = "NAME", requires = "register")]
    pub(crate) owner_name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The conversation, cnv_…, which may be left out if there is only one; then the tool; then its arguments: JSON,
    /// @FILE, or - for standard input
    #[arg(value_names = ["CONVERSATION", "TOOL", "JSON"], num_args = 1..=3, required = true)]
    pub(crate) words: Vec<String>,
    /// How long to wait for the answer, such as 30s or 5m
    #[arg(long, value_name = "TIME", default_value = "6m")]
    pub(crate) timeout: String,
    /// The id of the call. A call with the same id runs once and gets the same answer
    #[arg(long, value_name = "ID")]
    pub(crate) call_id: Option<String>,
    /// Why the call is made; the person sees it as the words of the agent
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}
