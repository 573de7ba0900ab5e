//! The command line.

mod admin;
mod agent;
mod audit;
mod demo;
mod device;
mod serve;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use self::{
    admin::{Admin, AdminCommand, Agents, Keys, Relations, State},
    agent::{Agent, AgentCommand, Call, Init, Owner, RunScript},
    audit::{Audit, Calls, Export, Journal, Replay, Why},
    demo::Demo,
    device::{
        AccountArguments, Decision, Device, DeviceAudit, DeviceCommand, RootsChange, RunDevice,
    },
    serve::Serve,
};

/// Agents ask, people assent.
#[derive(Debug, Parser)]
#[command(name = "assent", version, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show an agent that asks, a person who decides, and a device that acts
    ///
    /// Starts a relay, a device and an agent on this machine, in a temporary directory, and opens the page on which you
    /// add the agent. With --script a scripted person answers instead: it prints one line of JSON per step, exit 0 if
    /// every step ended as it should, 1 if one did not.
    Demo(Demo),
    /// Run the device on which agents ask for tools and you decide, or give commands to the one that runs
    ///
    /// Without a command it runs the device: it prints one line of JSON with a link to its console on standard output,
    /// logs to standard error, and stops on SIGTERM or Ctrl-C. With a command it uses the control socket in the data
    /// directory. Exit 0 if done, 1 if refused, 2 for wrong use or if no device runs.
    Device(Box<Device>),
    /// Run an agent: make it, send texts, call tools on the devices of people
    #[command(arg_required_else_help = true)]
    Agent(Agent),
    /// Check, compare and explain capability manifests
    #[command(subcommand, arg_required_else_help = true)]
    Manifest(Manifest),
    /// Run the relay between agents and people
    ///
    /// Prints one line of JSON with its address on standard output, logs to standard error, and stops on
    /// SIGTERM or Ctrl-C. Every setting is also an environment variable and a line of the settings file: flags
    /// override variables, and variables override the file. docs/operations.md lists all settings.
    Serve(Box<Serve>),
    /// Manage the relay that runs on this machine
    ///
    /// Uses its admin socket, which only its user and root can open.
    #[command(arg_required_else_help = true)]
    Admin(Admin),
    /// Run a written scenario through the real pipeline, without side effects
    ///
    /// Tools, hooks and the person are scripted by the file; rules, policies and the pipeline are the
    /// real ones. Exit 0 if every `expect` held, 1 if one did not, 2 if the file is wrong.
    Rehearse(Rehearse),
    /// Read the journals of runtimes: which tools were called, and why calls were allowed or refused
    #[command(subcommand, arg_required_else_help = true)]
    Audit(Audit),
    /// Print a completion script for a shell
    ///
    /// For bash: assent completions bash > ~/.local/share/bash-completion/completions/assent
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    ///
    /// Read it with: assent man | man -l -
    Man,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Manifest {
    /// Check a manifest and report all its problems
    Check(Check),
    /// Print the canonical form (RFC 8785) of any JSON document
    Canonicalize {
        #[command(flatten)]
        file: File,
    },
    /// Print the SHA-256 of the canonical form
    Hash {
        #[command(flatten)]
        file: File,
        #[command(flatten)]
        format: Format,
    },
    /// Show the changes between two manifests; exit 1 if one is breaking
    Diff(Diff),
    /// Compare the inputs that two schemas accept
    CompareSchemas {
        /// The old schema, or - for standard input
        old: PathBuf,
        /// The new schema, or - for standard input
        new: PathBuf,
        #[command(flatten)]
        format: Format,
    },
    /// Explain an error code or a rule, and what to do
    Explain {
        /// For example BAD_SEMVER or input-narrowed; without it, all codes and rules are listed
        code: Option<String>,
        #[command(flatten)]
        format: Format,
    },
    /// Publish the manifest of an agent, and show the changes
    ///
    /// The token is read from the environment variable ASSENT_TOKEN or from a file, because other users of the
    /// machine can read command lines. With --dry-run nothing is published, and a breaking change exits with 1.
    Push(Push),
    /// Print a small valid manifest to start from
    Init,
}

#[derive(Debug, Args)]
pub(crate) struct Rehearse {
    /// The scenario, as YAML or JSON, or - for standard input
    pub(crate) file: PathBuf,
    /// Write the journal here, as JSON Lines
    #[arg(long, value_name = "OUT.jsonl")]
    pub(crate) journal: Option<PathBuf>,
    /// Show the values of sensitive fields in the records
    #[arg(long)]
    pub(crate) reveal: bool,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) file: File,
    #[command(flatten)]
    pub(crate) rules: Rules,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The old manifest, or - for standard input
    pub(crate) old: PathBuf,
    /// The new manifest, or - for standard input
    pub(crate) new: PathBuf,
    #[command(flatten)]
    pub(crate) rules: Rules,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Push {
    #[command(flatten)]
    pub(crate) file: File,
    /// The relay, such as `https://relay.example`
    #[arg(long, value_name = "URL")]
    pub(crate) relay: String,
    /// The agent, agt_…
    #[arg(long, value_name = "ID")]
    pub(crate) agent: String,
    /// A file with the token, instead of ASSENT_TOKEN
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Publish only if the current manifest has this hash
    #[arg(long, value_name = "HASH")]
    pub(crate) if_match: Option<String>,
    /// Only fetch the current manifest and show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) rules: Rules,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct File {
    /// The document, or - for standard input
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Rules {
    /// Where the documents of the specification disagree: follow the specification itself (canonical), or
    /// refuse whatever any of them forbids (strict)
    #[arg(long, value_enum, default_value_t)]
    pub(crate) rules: RuleSet,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum RuleSet {
    #[default]
    Canonical,
    Strict,
}

impl From<RuleSet> for assent_manifest::RuleSet {
    fn from(rules: RuleSet) -> Self {
        match rules {
            RuleSet::Canonical => Self::Canonical,
            RuleSet::Strict => Self::Strict,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Format {
    /// Print JSON for machines instead of a report for people
    #[arg(long, global = true)]
    pub(crate) json: bool,
}
