//! Lines on standard error: one per event, for people or for machines.

mod writer;

use std::{
    io::{self, IsTerminal as _},
    panic,
    str::FromStr,
};

use serde_json::json;
use tracing_subscriber::{
    Layer as _,
    filter::{LevelFilter, Targets},
    fmt,
    layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

pub use self::writer::Logs;

/// How lines look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people; in colour on a terminal.
    #[default]
    Text,
    /// For machines: an object per line.
    Json,
}

/// What is no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `text` or `json`")]
pub struct FormatError;

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err(FormatError),
        }
    }
}

/// How much is said: a level for all, and others for some parts, such as `info,assent_store=debug`.
#[derive(Clone, Debug)]
pub struct Levels(Targets);

impl Levels {
    /// Nothing is said.
    #[must_use]
    pub fn off() -> Self {
        Self(Targets::new())
    }
}

/// What are no levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected `error`, `warn`, `info`, `debug`, `trace` or `off`, and maybe `,part=level` after it"
)]
pub struct LevelsError;

impl FromStr for Levels {
    type Err = LevelsError;

    fn from_str(text: &str) -> Result<Self, LevelsError> {
        let mut targets = Targets::new();
        for part in text.split(',').map(str::trim) {
            let (target, level) = part.split_once('=').map_or((None, part), |(t, l)| (Some(t), l));
            let level = level_named(level)?;
            targets = match target {
                None => targets.with_default(level),
                Some(target) if !target.is_empty() => targets.with_target(target, level),
                Some(_) => return Err(LevelsError),
            };
        }
        Ok(Self(targets))
    }
}

/// Words only: the library would take numbers and any case as well.
fn level_named(word: &str) -> Result<LevelFilter, LevelsError> {
    let known = ["off", "error", "warn", "info", "debug", "trace"];
    if !known.contains(&word) {
        return Err(LevelsError);
    }
    word.parse().map_err(|_| LevelsError)
}

/// Why there are no logs.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Once is enough.
    #[error("logs were started before")]
    Started,
    /// The system gave no thread.
    #[error("logs cannot be written: {0}")]
    Thread(#[from] io::Error),
}

/// Starts logging, once per process. The last lines are written when what it gives back is dropped. Panics
/// are logged by their place: what they say may hold secrets.
///
/// # Errors
///
/// If it was done before, or if there is no thread to write them.
pub fn start(format: Format, levels: Levels) -> Result<Logs, StartError> {
    let lost = match format {
        Format::Text => |count| format!("{count} lines of the log were lost: nobody read them\n"),
        Format::Json => |count| {
            let message = "lines of the log were lost: nobody read them";
            format!("{}\n", json!({"level": "WARN", "message": message, "lines": count}))
        },
    };
    let (writer, logs) = writer::start(io::stderr(), lost)?;
    let lines = fmt::layer().with_writer(move || writer.clone());
    let lines = match format {
        Format::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        Format::Json => lines.json().flatten_event(true).boxed(),
    };
    let all = tracing_subscriber::registry().with(lines.with_filter(levels.0));
    all.try_init().map_err(|_| StartError::Started)?;
    panic::set_hook(Box::new(|what| {
        let place = what.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a fault of the program");
    }));
    Ok(logs)
}

#[cfg(test)]
mod tests {
    use super::{Format, Levels};

    #[test]
    fn levels_are_words_and_a_typing_mistake_does_not_silence_everything() {
        for good in ["info", "off", "warn,assent_store=debug", "info, a=trace , b=off"] {
            assert!(good.parse::<Levels>().is_ok(), "{good}");
        }
        for bad in ["", "infoo", "INFO", "3", "info,", "assent_store", "a=b", "=info", "info,=warn"]
        {
            assert!(bad.parse::<Levels>().is_err(), "{bad}");
        }
        assert!("xml".parse::<Format>().is_err());
    }
}
