//! The text form of Prometheus, version 0.0.4.

use std::fmt::{Display, Write as _};

/// Figures as text, family by family.
#[derive(Debug, Default)]
pub(crate) struct Exposition(String);

impl Exposition {
    /// Begins a family; its samples follow.
    pub(super) fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    /// A line. Names and labels are words of ours: nothing needs escaping.
    pub(super) fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.0.push_str(name);
        for (at, (label, word)) in labels.iter().enumerate() {
            let before = if at == 0 { '{' } else { ',' };
            let _ = write!(self.0, "{before}{label}=\"{word}\"");
        }
        let end = if labels.is_empty() { "" } else { "}" };
        let _ = writeln!(self.0, "{end} {value}");
    }

    /// A family of one number that only grows.
    pub(super) fn counter(&mut self, name: &str, help: &str, value: &dyn Display) {
        self.family(name, "counter", help);
        self.sample(name, &[], value);
    }

    /// A family of one number that goes up and down.
    pub(super) fn gauge(&mut self, name: &str, help: &str, value: &dyn Display) {
        self.family(name, "gauge", help);
        self.sample(name, &[], value);
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}
