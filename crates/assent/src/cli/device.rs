//! `assent device …`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Format;

#[derive(Debug, Args)]
pub(crate) struct Device {
    /// The data directory of the device [env: ASSENT_DATA] [default: the user's data directory]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunDevice,
    #[command(flatten)]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) command: Option<DeviceCommand>,
}

/// The flags of the device itself. Their values are texts: flags, variables and the file are parsed together, so that
/// all mistakes are reported at once.
#[derive(Debug, Args)]
pub(crate) struct RunDevice {
    /// The relay for a new account [env: ASSENT_RELAY] [default: the relay of the account]
    #[arg(long, value_name = "URL")]
    pub(crate) relay: Option<String>,
    /// The loopback address of the console [env: ASSENT_LISTEN] [default: 127.0.0.1:8710]
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<String>,
    /// Serve commands only, and no console
    #[arg(long)]
    pub(crate) headless: bool,
    /// Deny at once every call that needs a person
    #[arg(long)]
    pub(crate) unattended: bool,
    /// The language of texts for people: en or zh [env: ASSENT_LANG] [default: that of the browser]
    #[arg(long, value_name = "LANG")]
    pub(crate) lang: Option<String>,
    /// Where the key is that encrypts the data directory: file [env: ASSENT_KEY_STORE] [default: file]
    #[arg(long, value_name = "STORE")]
    pub(crate) key_store: Option<String>,
    /// How long calls of high sensitivity wait for a person, 1s to 30s [env: ASSENT_PROMPT_TIMEOUT] [default: 30s]
    #[arg(long, value_name = "TIME")]
    pub(crate) prompt_timeout: Option<String>,
    /// How long calls of medium sensitivity wait for a person, 1s to 300s [env: ASSENT_MEDIUM_TIMEOUT]
    /// [default: 300s]
    #[arg(long, value_name = "TIME")]
    pub(crate) medium_timeout: Option<String>,
    /// How long "Allow for 24 hours" lasts after the last use, up to 24h [env: ASSENT_SILENCE] [default: 24h]
    #[arg(long, value_name = "TIME")]
    pub(crate) silence: Option<String>,
    /// How long it lasts at most, up to 7d [env: ASSENT_SILENCE_MAX] [default: 7d]
    #[arg(long, value_name = "TIME")]
    pub(crate) silence_max: Option<String>,
    /// The age at which a call is too old to run, 1s to 600s [env: ASSENT_MAX_CALL_AGE] [default: 600s]
    #[arg(long, value_name = "TIME")]
    pub(crate) max_call_age: Option<String>,
    /// The format of log lines: text or json [env: ASSENT_LOG] [default: text]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log: Option<String>,
    /// The log levels, such as info or warn,assent_device=debug [env: ASSENT_LOG_LEVEL] [default: info]
    #[arg(long, value_name = "LEVELS")]
    pub(crate) log_level: Option<String>,
    /// The settings file, in TOML [env: ASSENT_CONFIG]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DeviceCommand {
    /// Make an account of the relay
    Register {
        #[command(flatten)]
        account: AccountArguments,
        /// The name that agents see
        #[arg(long, value_name = "NAME")]
        name: String,
    },
    /// Log in to an account
    Login(AccountArguments),
    /// Log out; keys, agents and grants stay
    Logout,
    /// Print a new link that opens the console, once
    Open,
    /// Show what an agent may do if it is added, and add it
    AddAgent {
        /// The id of the agent, or its link `assent:add/…`
        agent: String,
        /// A permission to grant; may be given several times
        #[arg(long, value_name = "SCOPE")]
        grant: Vec<String>,
        /// Grant every permission that the agent declares
        #[arg(long, conflicts_with = "grant")]
        all: bool,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// List the agents
    Agents,
    /// Show what agents may do
    Grants {
        /// Only this agent
        agent: Option<String>,
    },
    /// Grant permissions to an agent
    Grant {
        /// The agent
        agent: String,
        /// The permissions
        #[arg(required = true)]
        scopes: Vec<String>,
    },
    /// Take permissions of an agent back, or end the relation
    Revoke {
        /// The agent
        agent: String,
        /// The permissions; without any, all of them
        scopes: Vec<String>,
    },
    /// Show and answer changes of what agents declare
    Review {
        /// Only this agent
        agent: Option<String>,
        /// Agree to the change
        #[arg(long, requires = "agent", conflicts_with = "refuse")]
        accept: bool,
        /// Leave the agent paused
        #[arg(long, requires = "agent")]
        refuse: bool,
        /// A permission to grant after the change; without any, those that are granted now
        #[arg(long, value_name = "SCOPE", requires = "accept")]
        grant: Vec<String>,
    },
    /// List the calls that wait for an answer
    Prompts,
    /// Answer a call
    Answer {
        /// The id of the prompt, prm_…
        prompt: String,
        /// The answer
        #[arg(value_enum)]
        decision: Decision,
        /// The digest of what was shown
        #[arg(long, value_name = "DIGEST")]
        view: String,
        /// What of it was seen; `all` is needed if values were shortened
        #[arg(long, value_name = "PART", value_parser = ["all"])]
        shown: Option<String>,
    },
    /// Ask again before a tool of an agent is used
    AskAgain {
        /// The agent
        agent: String,
        /// The tool
        tool: String,
    },
    /// List the tools of this device
    Tools,
    /// List and change the folders that agents may read
    Roots {
        #[command(subcommand)]
        change: Option<RootsChange>,
    },
    /// Show and change settings
    Settings {
        /// The name of a setting
        key: Option<String>,
        /// Its new value, as JSON or text
        value: Option<String>,
    },
    /// List calls, or show how one went
    Activity {
        /// The call, inv_…
        call: Option<String>,
    },
    /// The signed record of answered calls
    #[command(subcommand, arg_required_else_help = true)]
    Audit(DeviceAudit),
    /// Send a text to an agent
    Send {
        /// The conversation, cnv_…
        conversation: String,
        /// The text
        text: String,
    },
    /// Show safety numbers
    Keys {
        /// Only this agent
        agent: Option<String>,
    },
    /// List the devices of the account
    Devices,
    #[command(hide = true)]
    Bind(NotYet),
    #[command(hide = true)]
    Unbind(NotYet),
    #[command(hide = true)]
    Mcp(NotYet),
    #[command(hide = true)]
    Backup(NotYet),
}

/// The arguments of a command that this version does not have.
#[derive(Debug, Args)]
pub(crate) struct NotYet {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AccountArguments {
    /// The address of the account
    #[arg(long, value_name = "EMAIL")]
    pub(crate) email: String,
    /// A file with the password, instead of ASSENT_ACCOUNT_PASSWORD or the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) password_file: Option<PathBuf>,
    /// What this device is called
    #[arg(long, value_name = "NAME")]
    pub(crate) device_name: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Decision {
    AllowOnce,
    #[value(name = "allow-24h")]
    Allow24h,
    Deny,
    AlwaysDeny,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RootsChange {
    /// Let agents with the permission read below this folder
    Add {
        /// The folder
        folder: PathBuf,
    },
    /// No longer let agents read below this folder
    Remove {
        /// The folder
        folder: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum DeviceAudit {
    /// List the entries
    List,
    /// Check that no entry was changed, removed or reordered
    Verify {
        /// An export, instead of the record of this device
        file: Option<PathBuf>,
        /// The signed head that belongs to it
        #[arg(long, value_name = "FILE", requires = "file")]
        head: Option<PathBuf>,
    },
    /// Print the whole record as JSON, for `verify`
    Export,
}
