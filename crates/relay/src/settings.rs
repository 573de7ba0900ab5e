//! What an operator can set.

mod bus;

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use assent_manifest::RuleSet;
use assent_outbound::{Origin, Origins};
use assent_store::Location;

pub use self::bus::{BusSetting, BusSettingError};
use crate::storage::vault::Vault;

/// Everything that an operator can set.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Where to listen; port 0 picks a free one.
    pub listen: SocketAddr,
    /// The URL that clients use, if it is not the address that the relay listens on.
    pub public_url: Option<Origin>,
    /// The directory of everything that is not in a server's database.
    pub data: PathBuf,
    /// Where the database is; a file in the data directory by default.
    pub database: Option<Location>,
    /// Under what secrets lie in the database.
    pub vault: Vault,
    /// What wakes other nodes.
    pub bus: BusSetting,
    /// Exact origins that webhooks may call although they are neither https nor public.
    pub webhook_allow: Origins,
    /// Addresses of proxies that are believed about where a request comes from.
    pub trusted_proxies: Vec<IpAddr>,
    /// Which changes of a manifest are breaking.
    pub manifest_rules: RuleSet,
    /// How much of everything.
    pub limits: Limits,
    /// How long things are kept.
    pub retention: Retention,
}

/// How much of everything.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Tool calls of an agent in any 60 seconds.
    pub tool_calls_per_minute: usize,
    /// Messages of an agent in any second.
    pub messages_per_second: usize,
    /// Connections at once, of any kind.
    pub connections: usize,
    /// How long a request may take as a whole; longer than the longest long poll.
    pub request: Duration,
    /// How long the body of a request may take to arrive.
    pub body: Duration,
    /// Sockets of one person or agent at once.
    pub sockets_per_party: usize,
    /// Long polls of one agent at once.
    pub polls_per_agent: usize,
    /// Registrations from one address in any ten minutes. An IPv6 network counts as one address.
    pub registrations_per_address: usize,
    /// Registrations with one e-mail address in any ten minutes.
    pub registrations_per_email: usize,
    /// Logins from one address in any ten minutes.
    pub logins_per_address: usize,
    /// Wrong passwords before an account is locked.
    pub failed_logins: u32,
    /// How long it is locked.
    pub lock: Duration,
    /// How long a refresh token that was used is answered with the same successor again, if that was not used. Zero:
    /// whatever is used twice ends the login.
    pub refresh_grace: Duration,
    /// Devices of one person.
    pub devices: usize,
    /// Agents of one person.
    pub agents: usize,
    /// Lookups of people's keys by one person or agent in any 60 seconds, and as many publications.
    pub key_requests_per_minute: usize,
    /// Prekeys that one person or agent may claim in any 60 seconds.
    pub prekey_claims_per_minute: usize,
    /// People and agents in a group.
    pub group_members: usize,
}

/// How long things are kept.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Retention {
    /// Messages that every recipient has acknowledged.
    pub acknowledged: Duration,
    /// Messages and events that a recipient has not acknowledged.
    pub unacknowledged: Duration,
    /// The log of webhook deliveries.
    pub deliveries: Duration,
    /// How often it is looked what has become too old.
    pub every: Duration,
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Settings {
    /// The settings of a relay that keeps everything in `data`.
    #[must_use]
    pub fn new(data: impl Into<PathBuf>) -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8700)),
            public_url: None,
            data: data.into(),
            database: None,
            vault: Vault::default(),
            bus: BusSetting::None,
            webhook_allow: Origins::default(),
            trusted_proxies: Vec::new(),
            manifest_rules: RuleSet::Canonical,
            limits: Limits::default(),
            retention: Retention::default(),
        }
    }

    /// Returns `true` if requests from this machine are made by clients on other machines, which use a proxy.
    pub(crate) fn is_behind_proxy(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| !url.is_loopback())
    }

    /// The socket for operators.
    #[must_use]
    pub fn admin_socket(&self) -> PathBuf {
        self.data.join("admin.sock")
    }

    /// Where the database is.
    #[must_use]
    pub fn location(&self) -> Location {
        let file = || Location::Sqlite(self.data.join("relay.db"));
        self.database.clone().unwrap_or_else(file)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tool_calls_per_minute: 60,
            messages_per_second: 5,
            connections: 16_384,
            request: Duration::from_secs(60),
            body: Duration::from_secs(30),
            sockets_per_party: 16,
            polls_per_agent: 16,
            registrations_per_address: 10,
            registrations_per_email: 5,
            logins_per_address: 100,
            failed_logins: 5,
            lock: Duration::from_secs(15 * 60),
            refresh_grace: Duration::ZERO,
            devices: 5,
            agents: 100,
            key_requests_per_minute: 60,
            prekey_claims_per_minute: 300,
            group_members: 500,
        }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            acknowledged: DAY * 30,
            unacknowledged: DAY * 90,
            deliveries: DAY * 30,
            every: Duration::from_secs(60 * 60),
        }
    }
}
