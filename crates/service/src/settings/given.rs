//! What was said, and what became of it.

use std::{collections::BTreeMap, ffi::OsString, fmt::Display};

use super::{Count, Place, Problem, Problems, Setting};

/// Who said something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A flag.
    Flag,
    /// A variable.
    Variable,
    /// The file, at this line.
    File(String, usize),
    /// Nobody.
    Default,
}

/// A setting as it is in force, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its name.
    pub name: &'static str,
    /// Its values, without secrets.
    pub values: Vec<String>,
    /// Whether it takes one value or several.
    pub count: Count,
    /// Who said so.
    pub origin: Origin,
}

/// What was said about all settings.
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
            Err(_) => self.complain(Place::Variable(setting.variable()), "this is not UTF-8"),
        }
    }

    /// Remembers that something is wrong.
    pub fn complain(&mut self, place: Place, text: impl Into<String>) {
        self.problems.push(Problem { place, text: text.into() });
    }

    /// The value of a setting that takes one, read with `read` and shown as `read` says; or `default`.
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
                    self.complain(self.place(name, &origin), error.to_string());
                    (default, origin)
                }
            },
        };
        let values = vec![show(&value)];
        self.shown.push(Shown { name, values, count: Count::One, origin });
        value
    }

    /// The values of a setting that takes several.
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
                Err(error) => self.complain(self.place(name, &origin), error.to_string()),
            }
        }
        let values = read_values.iter().map(show).collect();
        self.shown.push(Shown { name, values, count: Count::Many, origin });
        read_values
    }

    fn place(&self, name: &str, origin: &Origin) -> Place {
        let setting = self.settings.iter().find(|setting| setting.name == name);
        match origin {
            Origin::Flag => {
                Place::Flag(setting.and_then(Setting::flag).unwrap_or_else(|| name.to_owned()))
            }
            Origin::Variable => {
                Place::Variable(setting.map_or_else(|| name.to_owned(), Setting::variable))
            }
            Origin::File(file, line) => Place::Line(file.clone(), *line),
            Origin::Default => Place::Settings,
        }
    }

    /// Everything that is in force, in the order in which it was asked for.
    ///
    /// # Errors
    ///
    /// Everything that is wrong.
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
