//! The given values of settings.

use std::{collections::BTreeMap, ffi::OsString, fmt::Display};

use super::{Count, Location, Problem, Problems, Setting};

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A flag.
    Flag,
    /// A variable.
    Variable,
    /// The file, at this line.
    File(String, usize),
    /// The default.
    Default,
}

/// An effective setting, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The name.
    pub name: &'static str,
    /// The values, without secrets.
    pub values: Vec<String>,
    /// Whether it takes one value or several.
    pub count: Count,
    /// The source of the values.
    pub origin: Origin,
}

/// The given values of all settings.
#[derive(Debug)]
pub struct Given {
    settings: &'static [Setting],
    said: BTreeMap<&'static str, (Vec<String>, Origin)>,
    problems: Vec<Problem>,
    shown: Vec<Shown>,
}

impl Given {
    pub(super) fn new(settings: &'static [Setting]) -> Self {
        Self { settings, said: BTreeMap::new(), problems: Vec::new(), shown: Vec::new() }
    }

    pub(super) const fn settings(&self) -> &'static [Setting] {
        self.settings
    }

    pub(super) fn put(&mut self, name: &'static str, values: Vec<String>, origin: Origin) {
        self.said.insert(name, (values, origin));
    }

    pub(super) fn take_variable(&mut self, setting: &'static Setting, value: OsString) {
        match value.into_string() {
            Ok(text) => {
                let values = match setting.count {
                    Count::One => vec![text],
                    Count::Many => parts(&text),
                };
                self.put(setting.name, values, Origin::Variable);
            }
            Err(_) => self.complain(Location::Variable(setting.variable()), "this is not UTF-8"),
        }
    }

    /// Adds a problem.
    pub fn complain(&mut self, location: Location, text: impl Into<String>) {
        self.problems.push(Problem { location, text: text.into() });
    }

    /// Returns the value of a setting that takes one, parsed with `read` and displayed with `show`; or `default`.
    pub fn one<T, E: Display>(
        &mut self,
        name: &'static str,
        default: T,
        read: impl Fn(&str) -> Result<T, E>,
        show: impl Fn(&T) -> String,
    ) -> T {
        let (value, origin) = match self.said.remove(name) {
            None => (default, Origin::Default),
            Some((values, origin)) => match read(values.first().map_or("", String::as_str)) {
                Ok(value) => (value, origin),
                Err(error) => {
                    self.complain(self.location(name, &origin), error.to_string());
                    (default, origin)
                }
            },
        };
        let values = vec![show(&value)];
        self.shown.push(Shown { name, values, count: Count::One, origin });
        value
    }

    /// Returns the values of a setting that takes several.
    pub fn many<T, E: Display>(
        &mut self,
        name: &'static str,
        read: impl Fn(&str) -> Result<T, E>,
        show: impl Fn(&T) -> String,
    ) -> Vec<T> {
        let (values, origin) = self.said.remove(name).unwrap_or((Vec::new(), Origin::Default));
        let mut read_values = Vec::new();
        for value in &values {
            match read(value) {
                Ok(value) => read_values.push(value),
                Err(error) => self.complain(self.location(name, &origin), error.to_string()),
            }
        }
        let values = read_values.iter().map(show).collect();
        self.shown.push(Shown { name, values, count: Count::Many, origin });
        read_values
    }

    fn location(&self, name: &str, origin: &Origin) -> Location {
        let setting = self.settings.iter().find(|setting| setting.name == name);
        match origin {
            Origin::Flag => {
                Location::Flag(setting.and_then(Setting::flag).unwrap_or_else(|| name.to_owned()))
            }
            Origin::Variable => {
                Location::Variable(setting.map_or_else(|| name.to_owned(), Setting::variable))
            }
            Origin::File(file, line) => Location::Line(file.clone(), *line),
            Origin::Default => Location::Settings,
        }
    }

    /// Returns the effective settings, in the order in which they were read.
    ///
    /// # Errors
    ///
    /// Every problem.
    pub fn finish(self) -> Result<Vec<Shown>, Problems> {
        if self.problems.is_empty() {
            return Ok(self.shown);
        }
        let mut problems = self.problems;
        problems.sort();
        problems.dedup();
        Err(Problems(problems))
    }
}

fn parts(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}
