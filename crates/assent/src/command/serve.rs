//! `assent serve`

mod check_config;
mod settings;

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use assent_relay::{Server, Settings};
use assent_service::{
    Signals, logs,
    settings::{Sources, collect},
};
use serde::Serialize;

use self::settings::{Configured, SETTINGS};
use crate::{
    cli,
    exit::Exit,
    service::{does_not_start, wrong_settings},
};

/// What the command runs.
const RELAY: &str = "relay";

/// The longest wait for blocking threads at shutdown.
const LAST_WAIT: Duration = Duration::from_secs(1);

pub(super) fn run(arguments: &cli::Serve) -> Exit {
    let environment = |name: &str| std::env::var_os(name);
    let file = arguments.config.clone();
    let file = file.or_else(|| environment("ASSENT_CONFIG").map(PathBuf::from));
    let sources = Sources { flags: flags(arguments), environment: &environment, file };
    let configured = match settings::read(collect(&SETTINGS, &sources), &environment) {
        Ok(configured) => configured,
        Err(problems) => return wrong_settings(&problems),
    };
    if arguments.check_config {
        return check_config::run(&configured);
    }
    let _logs = match logs::start(configured.log, configured.levels.clone()) {
        Ok(logs) => logs,
        Err(error) => return does_not_start(RELAY, configured.log, &error.to_string()),
    };
    warn_about(&configured);
    let runtime = match assent_service::runtime() {
        Ok(runtime) => runtime,
        Err(error) => return does_not_start(RELAY, configured.log, &error.to_string()),
    };
    let exit = runtime.block_on(serve(configured));
    runtime.shutdown_timeout(LAST_WAIT);
    exit
}

fn flags(arguments: &cli::Serve) -> Vec<(&'static str, Vec<String>)> {
    let one = |value: &Option<String>| value.iter().cloned().collect();
    vec![
        ("listen", one(&arguments.listen)),
        ("public_url", one(&arguments.public_url)),
        ("data", one(&arguments.data)),
        ("database", one(&arguments.database)),
        ("secrets_key", one(&arguments.secrets_key)),
        ("bus", one(&arguments.bus)),
        ("log", one(&arguments.log)),
        ("log_level", one(&arguments.log_level)),
        ("webhook_allow", arguments.webhook_allow.clone()),
    ]
}

/// Warns of settings that may not be intended.
fn warn_about(configured: &Configured) {
    let settings = &configured.relay;
    if !settings.webhook_allow.is_empty() {
        let origins = settings.webhook_allow.to_string();
        tracing::warn!(origins, "webhooks may call these without https; this is for development");
    }
    if let Some(file) = settings.vault.file().filter(|file| others_can_read(file)) {
        tracing::warn!(file = %file.display(), "others on this machine can read the file with keys");
    }
    let files = assent_service::allow_many_files().unwrap_or(u64::MAX);
    let connections = u64::try_from(settings.limits.connections).unwrap_or(u64::MAX);
    if files <= connections {
        tracing::warn!(files, connections, "the system allows fewer files than connections");
    }
}

/// Warns if a proxy in front of this relay would switch protections off.
fn warn_about_proxy(settings: &Settings) {
    match &settings.public_url {
        None => tracing::warn!(
            "`public_url` is not set: requests from this machine are not limited per network address, and their refresh \
             cookies are not `Secure`; set it before you put a proxy in front of the relay"
        ),
        Some(url) => {
            let proxied = !url.is_loopback() && settings.listen.ip().is_loopback();
            if proxied && settings.trusted_proxies.is_empty() {
                tracing::warn!(
                    "`trusted_proxies` is empty: all requests that a proxy forwards count as one network address"
                );
            }
        }
    }
}

#[cfg(unix)]
fn others_can_read(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|file| file.permissions().mode() & 0o004 != 0)
}

#[cfg(not(unix))]
const fn others_can_read(_file: &Path) -> bool {
    false
}

/// The fields that the ready line of a relay adds.
#[derive(Serialize)]
struct Ready<'r> {
    version: &'static str,
    pid: u32,
    data: &'r Path,
    admin_socket: &'r Path,
}

async fn serve(configured: Configured) -> Exit {
    let log = configured.log;
    let mut signals = match Signals::listen() {
        Ok(signals) => signals,
        Err(error) => return does_not_start(RELAY, log, &error.to_string()),
    };
    let settings = configured.relay.clone();
    let server = match Server::start(configured.relay).await {
        Ok(server) => server,
        Err(error) => return does_not_start(RELAY, log, &error.to_string()),
    };
    warn_about_proxy(&settings);
    let (url, admin_socket) = (url(server.address()), server.admin_socket());
    tracing::info!(url, "the relay listens");
    let (version, pid) = (env!("CARGO_PKG_VERSION"), std::process::id());
    let ready = Ready { version, pid, data: &settings.data, admin_socket: &admin_socket };
    if let Err(error) = assent_service::announce("relay", &url, &ready) {
        // The parent process may have closed standard output.
        tracing::warn!(%error, "the ready line could not be written");
    }
    let signal = signals.next().await;
    tracing::info!(signal, "the relay stops; a second signal ends it at once");
    tokio::select! {
        () = server.stop() => tracing::info!("the relay has stopped"),
        signal = signals.next() => tracing::warn!(signal, "the relay ends without waiting"),
    }
    Exit::AsAsked
}

/// Returns an address that a client on this machine can call.
fn url(mut address: SocketAddr) -> String {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    format!("http://{address}")
}
