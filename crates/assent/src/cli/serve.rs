//! `assent serve`

use std::path::PathBuf;

use clap::Args;

/// The flags of the relay. Their values are texts: flags, variables and the file are parsed together, so that
/// all mistakes are reported at once.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The address to listen on; port 0 picks a free port [env: ASSENT_LISTEN] [default: 127.0.0.1:8700]
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<String>,
    /// The URL under which clients reach the relay; required behind a proxy [env: ASSENT_PUBLIC_URL]
    /// [default: none]
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// The data directory [env: ASSENT_DATA] [default: the user's data directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<String>,
    /// sqlite:PATH or postgres://… [env: ASSENT_DATABASE] [default: relay.db in the data directory]
    #[arg(long, value_name = "LOCATION")]
    pub(crate) database: Option<String>,
    /// A file with the key that encrypts secrets in the database [env: ASSENT_SECRETS_KEY] [default: none]
    #[arg(long, value_name = "FILE")]
    pub(crate) secrets_key: Option<String>,
    /// The bus that notifies other nodes: none, postgres or nats://… [env: ASSENT_BUS] [default: none]
    #[arg(long, value_name = "BUS")]
    pub(crate) bus: Option<String>,
    /// The format of log lines: text or json [env: ASSENT_LOG] [default: text]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log: Option<String>,
    /// The log levels, such as info or warn,assent_store=debug [env: ASSENT_LOG_LEVEL] [default: info]
    #[arg(long, value_name = "LEVELS")]
    pub(crate) log_level: Option<String>,
    /// An exact origin that webhooks may call although it is not https or not public; for development, may be
    /// given several times [env: ASSENT_WEBHOOK_ALLOW]
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) webhook_allow: Vec<String>,
    /// The settings file, in TOML [env: ASSENT_CONFIG]
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    /// Print the effective settings, check that the database can be used, and exit
    #[arg(long)]
    pub(crate) check_config: bool,
}
