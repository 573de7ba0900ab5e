//! The settings of the relay: one table for flags, variables, the file and the manual.

use std::{ffi::OsString, fmt::Display, path::Path, str::FromStr, time::Duration};

use assent_relay::{
    BusSetting, Limits, Location, Origin, Retention, RuleSet, Settings, Vault, VaultError,
};
use assent_service::{
    logs::{Format, Levels},
    settings::{self, Count, Days, Given, Problems, Setting, Shown, duration},
};

use crate::service;

/// Slightly longer than the longest wait that a client may request for a long poll.
const LONGEST_POLL: Duration = Duration::from_secs(35);

/// The longest time in which a refresh token may be used again; a stolen token works as long.
const LONGEST_GRACE: Duration = Duration::from_secs(60);

const fn by_flag(
    name: &'static str,
    count: Count,
    default: &'static str,
    about: &'static str,
) -> Setting {
    Setting { name, count, flag: true, default, about }
}

const fn in_file(name: &'static str, default: &'static str, about: &'static str) -> Setting {
    Setting { name, count: Count::One, flag: false, default, about }
}

/// All settings.
pub(super) static SETTINGS: [Setting; 29] = [
    by_flag("listen", Count::One, "127.0.0.1:8700", "where to listen; port 0 picks a free one"),
    by_flag(
        "public_url",
        Count::One,
        "none",
        "the URL that clients use, such as `https://relay.example.org`; required behind a proxy",
    ),
    by_flag("data", Count::One, "the user's data directory", "where data and the admin socket lie"),
    by_flag("database", Count::One, "`relay.db` in `data`", "`sqlite:PATH` or `postgres://…`"),
    by_flag(
        "secrets_key",
        Count::One,
        "none",
        "a file with the key under which secrets lie in the database",
    ),
    by_flag("bus", Count::One, "none", "what wakes other nodes: `none`, `postgres` or `nats://…`"),
    by_flag("log", Count::One, "text", "how log lines look: `text` or `json`"),
    by_flag(
        "log_level",
        Count::One,
        "info",
        "how much is logged, such as `warn,assent_store=debug`",
    ),
    by_flag(
        "webhook_allow",
        Count::Many,
        "none",
        "exact origins that webhooks may call without https; for development",
    ),
    Setting {
        name: "trusted_proxies",
        count: Count::Many,
        flag: false,
        default: "none",
        about: "addresses whose `X-Forwarded-For` is believed",
    },
    in_file("manifest.rules", "canonical", "which changes are breaking: `canonical` or `strict`"),
    in_file("limits.tool_calls_per_minute", "60", "tool calls of an agent in any 60 seconds"),
    in_file("limits.messages_per_second", "5", "messages of an agent in any second"),
    in_file("limits.connections", "16384", "connections at once"),
    in_file("limits.sockets_per_party", "16", "sockets of one person or agent at once"),
    in_file("limits.polls_per_agent", "16", "long polls of one agent at once"),
    in_file("limits.request", "60s", "how long a request may take; at least 35 s"),
    in_file("limits.body", "30s", "how long the body of a request may take to arrive"),
    in_file(
        "limits.registrations_per_address",
        "10",
        "registrations from one address in 10 minutes",
    ),
    in_file("limits.failed_logins", "5", "wrong passwords before an account is locked"),
    in_file("limits.lock", "15m", "how long it is locked"),
    in_file(
        "limits.refresh_grace",
        "none",
        "how long a used refresh token gives its unused successor again, at most 60 s; otherwise the login ends",
    ),
    in_file("limits.devices", "5", "devices of one person"),
    in_file("limits.agents", "100", "agents of one person"),
    in_file("limits.group_members", "500", "people and agents in a group"),
    in_file("retention.acknowledged", "30d", "how long messages are kept that every recipient has"),
    in_file("retention.unacknowledged", "90d", "how long messages and events are kept for others"),
    in_file("retention.deliveries", "30d", "how long the log of webhook deliveries is kept"),
    in_file("retention.every", "1h", "how often it is looked what has become too old"),
];

/// The effective settings.
pub(super) struct Configured {
    pub(super) relay: Settings,
    pub(super) log: Format,
    pub(super) levels: Levels,
    pub(super) shown: Vec<Shown>,
}

/// Parses all settings.
pub(super) fn read(
    mut given: Given,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Configured, Problems> {
    let usual = assent_service::data_directory("relay", environment).unwrap_or_default();
    let mut relay = Settings::new(usual);
    relay.listen = plain(&mut given, "listen", relay.listen);
    relay.public_url = given.one("public_url", None, public_url, |url| {
        url.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string)
    });
    relay.data =
        given.one("data", relay.data.clone(), service::absolute, |path| path.display().to_string());
    if relay.data.as_os_str().is_empty() {
        let text = "the environment does not tell where data lies: say it with `--data DIR`";
        given.complain(settings::Location::Settings, text);
    }
    let location = plain(&mut given, "database", relay.location());
    relay.vault = given.one("secrets_key", relay.vault, vault, |vault| {
        vault.file().map_or_else(|| "none".to_owned(), |file| file.display().to_string())
    });
    relay.bus = plain(&mut given, "bus", relay.bus);
    if relay.bus == BusSetting::Postgres && matches!(location, Location::Sqlite(_)) {
        given.complain(
            settings::Location::Settings,
            "the bus `postgres` needs a `database` that is one",
        );
    }
    relay.database = Some(location);
    let log = service::log_format(&mut given);
    let levels = service::log_levels(&mut given);
    relay.webhook_allow =
        given.many("webhook_allow", str::parse, ToString::to_string).into_iter().collect();
    relay.trusted_proxies = given.many("trusted_proxies", str::parse, ToString::to_string);
    relay.manifest_rules = given.one("manifest.rules", RuleSet::Canonical, rule_set, rule_word);
    limits(&mut given, &mut relay.limits);
    retention(&mut given, &mut relay.retention);
    Ok(Configured { relay, log, levels, shown: given.finish()? })
}

fn limits(given: &mut Given, limits: &mut Limits) {
    for (name, limit) in [
        ("limits.tool_calls_per_minute", &mut limits.tool_calls_per_minute),
        ("limits.messages_per_second", &mut limits.messages_per_second),
        ("limits.connections", &mut limits.connections),
        ("limits.sockets_per_party", &mut limits.sockets_per_party),
        ("limits.polls_per_agent", &mut limits.polls_per_agent),
        ("limits.registrations_per_address", &mut limits.registrations_per_address),
        ("limits.devices", &mut limits.devices),
        ("limits.agents", &mut limits.agents),
        ("limits.group_members", &mut limits.group_members),
    ] {
        *limit = given.one(name, *limit, count, ToString::to_string);
    }
    let failed = given.one("limits.failed_logins", limits.failed_logins, count, u32::to_string);
    limits.failed_logins = failed;
    limits.lock = time(given, "limits.lock", limits.lock);
    let default = limits.refresh_grace;
    limits.refresh_grace = given.one("limits.refresh_grace", default, grace, |grace| {
        if grace.is_zero() { "none".to_owned() } else { Days(*grace).to_string() }
    });
    limits.request = time(given, "limits.request", limits.request);
    limits.body = time(given, "limits.body", limits.body);
    if limits.request < LONGEST_POLL {
        given.complain(
            settings::Location::Settings,
            "`limits.request` must be at least 35 s: long polls wait 30 s",
        );
    }
}

fn retention(given: &mut Given, retention: &mut Retention) {
    for (name, length) in [
        ("retention.acknowledged", &mut retention.acknowledged),
        ("retention.unacknowledged", &mut retention.unacknowledged),
        ("retention.deliveries", &mut retention.deliveries),
        ("retention.every", &mut retention.every),
    ] {
        *length = time(given, name, *length);
    }
}

/// A value that is displayed as it is parsed.
fn plain<T: FromStr + Display>(given: &mut Given, name: &'static str, default: T) -> T
where
    T::Err: Display,
{
    given.one(name, default, str::parse, ToString::to_string)
}

fn time(given: &mut Given, name: &'static str, default: Duration) -> Duration {
    given.one(name, default, duration, |length| Days(*length).to_string())
}

fn vault(text: &str) -> Result<Vault, VaultError> {
    if text == "none" { Ok(Vault::default()) } else { Vault::read(Path::new(text)) }
}

fn public_url(text: &str) -> Result<Option<Origin>, &'static str> {
    if text == "none" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(
        |_| "expected a URL without a path, such as `https://relay.example.org`, or `none`",
    )
}

fn count<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, &'static str> {
    let number = text.parse::<T>().ok().filter(|number| *number >= T::from(1));
    number.ok_or("expected a whole number above zero")
}

fn grace(text: &str) -> Result<Duration, &'static str> {
    if text == "none" {
        return Ok(Duration::ZERO);
    }
    let length = duration(text).ok().filter(|length| *length <= LONGEST_GRACE);
    length.ok_or("expected `none`, or a duration of at most 60 s, such as `30s`")
}

fn rule_set(text: &str) -> Result<RuleSet, &'static str> {
    match text {
        "canonical" => Ok(RuleSet::Canonical),
        "strict" => Ok(RuleSet::Strict),
        _ => Err("expected `canonical` or `strict`"),
    }
}

fn rule_word(rules: &RuleSet) -> String {
    match rules {
        RuleSet::Canonical => "canonical".to_owned(),
        RuleSet::Strict => "strict".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::SETTINGS;
    use crate::service::manual;

    #[test]
    fn the_manual_lists_every_setting_as_it_is() {
        manual::check("docs/operations.md", &SETTINGS);
    }
}
