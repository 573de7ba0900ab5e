//! Settings from flags, environment variables and a file. Flags override variables, variables override the
//! file, and the file overrides the defaults.

mod file;
mod given;
mod problem;
mod value;

use std::{ffi::OsString, path::PathBuf};

pub use self::{
    given::{Given, Origin, Shown},
    problem::{Location, Problem, Problems},
    value::{Days, DurationError, duration},
};

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The name in the file, such as `listen` or, in a table, `limits.connections`.
    pub name: &'static str,
    /// Whether it takes one value or several.
    pub count: Count,
    /// Set if there is a flag for it.
    pub flag: bool,
    /// The default, as in the documentation.
    pub default: &'static str,
    /// A one-line description.
    pub about: &'static str,
}

/// The number of values of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// One value.
    One,
    /// Any number: a list in the file, commas in a variable, a flag each.
    Many,
}

impl Setting {
    /// Returns the name of the variable, such as `ASSENT_LIMITS_CONNECTIONS`.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("ASSENT_{}", self.name.replace('.', "_").to_ascii_uppercase())
    }

    /// Returns the name of the flag, such as `--log-level`.
    #[must_use]
    pub fn flag(&self) -> Option<String> {
        self.flag.then(|| format!("--{}", self.name.replace('_', "-")))
    }
}

/// The sources of values.
pub struct Sources<'s> {
    /// Values of flags, by the name of their setting.
    pub flags: Vec<(&'static str, Vec<String>)>,
    /// The environment.
    pub environment: &'s dyn Fn(&str) -> Option<OsString>,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
}

/// Collects the values of `settings` from all sources. Problems are collected and reported together.
#[must_use]
pub fn collect(settings: &'static [Setting], sources: &Sources<'_>) -> Given {
    let mut given = Given::new(settings);
    // Later sources override earlier ones.
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
