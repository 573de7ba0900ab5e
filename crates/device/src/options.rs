//! How a device is set up.

use std::{path::PathBuf, time::Duration};

use assent_builtin_tools::{Location, Origins};

use crate::Language;

/// How a device is set up.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// The directory with keys, messages and the journal.
    pub data: PathBuf,
    /// The address of the relay; `None` leaves it to the account, or to the person.
    pub relay: Option<String>,
    /// The directories that `read_file` may read.
    pub roots: Vec<PathBuf>,
    /// Exact origins that `fetch_url` may reach without https and on private addresses, for development.
    pub fetch_origins: Origins,
    /// What `get_location` answers.
    pub location: Option<Location>,
    /// How long prompts stay open.
    pub timings: Timings,
    /// Whether no person answers prompts. Each is denied at once.
    pub unattended: bool,
    /// The language of texts for people; `None` leaves it to those who show them.
    pub lang: Option<Language>,
}

/// How long prompts stay open, and how old a call may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timings {
    /// For scopes of high sensitivity.
    pub high: Duration,
    /// For scopes of medium sensitivity.
    pub medium: Duration,
    /// How long calls need no new prompt after the last one that the person allowed for a while.
    pub silence: Duration,
    /// How long that can go on in all.
    pub silence_max: Duration,
    /// The most that the clocks of the agent and of this device may differ when a call arrives.
    pub max_call_age: Duration,
}

impl Default for Timings {
    fn default() -> Self {
        Self {
            high: Duration::from_secs(30),
            medium: Duration::from_mins(5),
            silence: Duration::from_hours(24),
            silence_max: Duration::from_hours(7 * 24),
            max_call_age: Duration::from_mins(10),
        }
    }
}

impl DeviceOptions {
    /// A device that keeps its state in `data`, has an account of `relay`, reads no files
    /// and knows no location.
    #[must_use]
    pub fn new(data: impl Into<PathBuf>, relay: impl Into<String>) -> Self {
        Self { relay: Some(relay.into()), ..Self::in_directory(data) }
    }

    /// The same, with the relay of its account.
    #[must_use]
    pub fn in_directory(data: impl Into<PathBuf>) -> Self {
        Self {
            data: data.into(),
            relay: None,
            roots: Vec::new(),
            fetch_origins: Origins::default(),
            location: None,
            timings: Timings::default(),
            unattended: false,
            lang: None,
        }
    }
}
