//! What an operator says: by flags, by variables and in a file. A flag outweighs a variable, a variable
//! the file, and the file the default.

mod file;
mod given;
mod problem;
mod value;

use std::{ffi::OsString, path::PathBuf};

pub use self::{
    given::{Given, Origin, Shown},
    problem::{Place, Problem, Problems},
    value::{Days, DurationError, duration},
};

/// One thing that can be set.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name in the file, such as `listen` or, in a table, `limits.connections`.
    pub name: &'static str,
    /// Whether it takes one value or several.
    pub count: Count,
    /// Whether there is a flag for it.
    pub flag: bool,
    /// What holds if nobody says anything, as documents write it.
    pub default: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
}

/// How many values a setting takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// One.
    One,
    /// Any number: a list in the file, commas in a variable, a flag each.
    Many,
}

impl Setting {
    /// The name of its variable, such as `ASSENT_LIMITS_CONNECTIONS`.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("ASSENT_{}", self.name.replace('.', "_").to_ascii_uppercase())
    }

    /// The name of its flag, such as `--log-level`.
    #[must_use]
    pub fn flag(&self) -> Option<String> {
        self.flag.then(|| format!("--{}", self.name.replace('_', "-")))
    }
}

/// Where values come from.
pub struct Sources<'s> {
    /// Values of flags, by the name of their setting.
    pub flags: Vec<(&'static str, Vec<String>)>,
    /// The environment.
    pub environment: &'s dyn Fn(&str) -> Option<OsString>,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
}

/// Collects what was said about `settings`. What is said in the wrong form is remembered as a problem
/// and told at the end, with everything else that is wrong.
#[must_use]
pub fn collect(settings: &'static [Setting], sources: &Sources<'_>) -> Given {
    let mut given = Given::new(settings);
    // From the weakest to the strongest: later ones replace earlier ones.
    if let Some(path) = &sources.file {
        file::read(path, &mut given);
    }
    for setting in settings {
        if let Some(value) = (sources.environment)(&setting.variable()) {
            given.take_variable(setting, value);
        }
    }
    for (name, values) in &sources.flags {
        if !values.is_empty() {
            given.put(name, values.clone(), Origin::Flag);
        }
    }
    given
}
