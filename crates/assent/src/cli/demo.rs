//! The command line of `assent demo`.

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Let a scripted person answer, and print a line of JSON per step
    #[arg(long, conflicts_with_all = ["no_agent", "lang", "listen", "no_browser"])]
    pub(crate) script: bool,
    /// Start no agent: connect one of your own
    #[arg(long)]
    pub(crate) no_agent: bool,
    /// The language of the pages [default: that of the browser]
    #[arg(long, value_name = "LANG", value_parser = ["en", "zh"])]
    pub(crate) lang: Option<String>,
    /// The loopback address of the console; port 0 picks a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,
    /// Do not open a browser
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// Keep everything in this directory, which must be empty or not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}
