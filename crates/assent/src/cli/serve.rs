//! `assent serve`

use std::path::PathBuf;

use clap::Args;

/// What the relay is told on the command line. Values are texts here: flags, variables and the file are
/// read by one reader, so that all mistakes are told at once.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen; port 0 picks a free one [env: ASSENT_LISTEN] [default: 127.0.0.1:8700]
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<String>,
    /// The URL that clients use, such as https://relay.example.org; required behind a proxy [env: ASSENT_PUBLIC_URL]
    /// [default: none]
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// Where data lies [env: ASSENT_DATA] [default: the user's data directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<String>,
    /// sqlite:PATH or postgres://… [env: ASSENT_DATABASE] [default: relay.db in the data directory]
    #[arg(long, value_name = "LOCATION")]
    pub(crate) database: Option<String>,
    /// A file with the key under which secrets lie in the database [env: ASSENT_SECRETS_KEY] [default: none]
    #[arg(long, value_name = "FILE")]
    pub(crate) secrets_key: Option<String>,
    /// What wakes other nodes: none, postgres or nats://… [env: ASSENT_BUS] [default: none]
    #[arg(long, value_name = "BUS")]
    pub(crate) bus: Option<String>,
    /// How log lines look: text or json [env: ASSENT_LOG] [default: text]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log: Option<String>,
    /// How much is logged, such as info or warn,assent_store=debug [env: ASSENT_LOG_LEVEL] [default: info]
    #[arg(long, value_name = "LEVELS")]
    pub(crate) log_level: Option<String>,
    /// An exact origin that webhooks may call although it is neither https nor public; for development,
    /// may be given several times [env: ASSENT_WEBHOOK_ALLOW]
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) webhook_allow: Vec<String>,
    /// A file with settings, in TOML [env: ASSENT_CONFIG]
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    /// Print the settings that would be in force, look whether the database can be used, and end
    #[arg(long)]
    pub(crate) check_config: bool,
}
