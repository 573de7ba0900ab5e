//! The settings of the device: one table for flags, variables, the file and the manual.

use std::{ffi::OsString, net::SocketAddr, time::Duration};

use assent_device::{DeviceOptions, Language, Timings};
use assent_service::{
    logs::{Format, Levels},
    settings::{self, Count, Days, Given, Problems, Setting, duration},
};

use crate::service;

const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8710);

const HOUR: Duration = Duration::from_hours(1);

const fn setting(name: &'static str, default: &'static str, about: &'static str) -> Setting {
    Setting { name, count: Count::One, flag: true, default, about }
}

/// All settings.
pub(super) static SETTINGS: [Setting; 14] = [
    setting("relay", "the relay of the account", "the relay for a new account"),
    setting(
        "listen",
        "127.0.0.1:8710",
        "the loopback address of the console; port 0 picks a free one",
    ),
    setting("data", "the user's data directory", "where keys, messages and records are"),
    setting("headless", "false", "`true` serves commands only, and no console"),
    setting("unattended", "false", "`true` denies at once every call that needs a person"),
    setting("lang", "that of the browser", "the language of texts for people: `en` or `zh`"),
    setting("key_store", "file", "where the key is that encrypts the data directory: `file`"),
    setting(
        "prompt_timeout",
        "30s",
        "how long calls of high sensitivity wait for a person, 1 s to 30 s",
    ),
    setting(
        "medium_timeout",
        "300s",
        "how long calls of medium sensitivity wait for a person, 1 s to 300 s",
    ),
    setting(
        "silence",
        "24h",
        "how long \"Allow for 24 hours\" lasts after the last use, up to 24 h; `0s` never",
    ),
    setting("silence_max", "7d", "how long it lasts at most, up to 7 d"),
    setting("max_call_age", "600s", "the age at which a call is too old to run, 1 s to 600 s"),
    setting("log", "text", "how log lines look: `text` or `json`"),
    setting("log_level", "info", "how much is logged, such as `warn,assent_device=debug`"),
];

/// The effective settings.
pub(super) struct Configured {
    pub(super) device: DeviceOptions,
    /// The address of the console; `None` serves commands only.
    pub(super) listen: Option<SocketAddr>,
    pub(super) log: Format,
    pub(super) levels: Levels,
}

/// Parses all settings.
pub(super) fn read(
    mut given: Given,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Configured, Problems> {
    let usual = assent_service::data_directory("device", environment).unwrap_or_default();
    let data = given.one("data", usual, service::absolute, |path| path.display().to_string());
    if data.as_os_str().is_empty() {
        let text = "the environment does not say where data is kept: use `--data DIR`";
        given.complain(settings::Location::Settings, text);
    }
    let relay = given.one("relay", None, some, |relay| relay.clone().unwrap_or_default());
    let listen = given.one("listen", DEFAULT_LISTEN, loopback, ToString::to_string);
    let headless = given.one("headless", false, str::parse, ToString::to_string);
    let unattended = given.one("unattended", false, str::parse, ToString::to_string);
    let lang = given.one("lang", None, language, |lang| format!("{lang:?}"));
    given.one("key_store", (), key_store, |()| "file".to_owned());
    let timings = timings(&mut given);
    let log = service::log_format(&mut given);
    let levels = service::log_levels(&mut given);
    given.finish()?;
    let device =
        DeviceOptions { relay, timings, unattended, lang, ..DeviceOptions::in_directory(data) };
    Ok(Configured { device, listen: (!headless).then_some(listen), log, levels })
}

/// The limits of the contract; settings can only make them stricter.
fn timings(given: &mut Given) -> Timings {
    let Timings { high, medium, silence, silence_max, max_call_age } = Timings::default();
    let second = Duration::from_secs(1);
    Timings {
        high: time(given, "prompt_timeout", high, second),
        medium: time(given, "medium_timeout", medium, second),
        silence: time(given, "silence", silence, Duration::ZERO),
        silence_max: time(given, "silence_max", silence_max, Duration::ZERO),
        max_call_age: time(given, "max_call_age", max_call_age, second),
    }
}

/// A duration between `least` and the default.
fn time(given: &mut Given, name: &'static str, most: Duration, least: Duration) -> Duration {
    let read = |text: &str| {
        let length = if text == "0s" { Some(Duration::ZERO) } else { duration(text).ok() };
        let length = length.filter(|length| (least..=most).contains(length));
        length.ok_or_else(|| {
            let (least, most) = (Days(least.max(Duration::from_secs(1))), shown(most));
            format!("expected a duration from {least} to {most}, such as `10s`")
        })
    };
    given.one(name, most, read, |length| shown(*length))
}

fn shown(length: Duration) -> String {
    if length < HOUR { format!("{}s", length.as_secs()) } else { Days(length).to_string() }
}

#[expect(clippy::unnecessary_wraps, reason = "settings are read by functions that may fail")]
fn some(text: &str) -> Result<Option<String>, &'static str> {
    Ok(Some(text.to_owned()))
}

fn loopback(text: &str) -> Result<SocketAddr, &'static str> {
    let address = text.parse::<SocketAddr>().ok().filter(|address| address.ip().is_loopback());
    address.ok_or("expected a loopback address, such as `127.0.0.1:8710`: the console is for this machine only")
}

fn language(text: &str) -> Result<Option<Language>, &'static str> {
    match text {
        "en" => Ok(Some(Language::En)),
        "zh" => Ok(Some(Language::Zh)),
        _ => Err("expected `en` or `zh`"),
    }
}

fn key_store(text: &str) -> Result<(), &'static str> {
    match text {
        "file" => Ok(()),
        "auto" | "keyring" | "passphrase" => {
            Err("this version keeps the key in a file of the data directory: use `file`")
        }
        _ => Err("expected `file`"),
    }
}

#[cfg(test)]
mod tests {
    use super::SETTINGS;
    use crate::service::manual;

    #[test]
    fn the_manual_lists_every_setting_as_it_is() {
        manual::check("docs/device.md", &SETTINGS);
    }
}
