//! Prints the changes between two manifests.

use std::io::{self, Write};

use assent_relay_api::model::ManifestChange;
use serde_json::Value;

use crate::output::{BAD, QUIET, visible};

/// A change in a report, of the local comparison or of the relay.
#[derive(Clone, Copy)]
pub(super) struct Change<'c> {
    breaking: bool,
    rule: &'c str,
    path: &'c str,
    summary: &'c str,
    witness: Option<&'c Value>,
}

impl<'c> From<&'c assent_manifest::Change> for Change<'c> {
    fn from(change: &'c assent_manifest::Change) -> Self {
        Self {
            breaking: change.breaking,
            rule: change.rule.as_str(),
            path: &change.path,
            summary: &change.summary,
            witness: change.witness.as_ref(),
        }
    }
}

impl<'c> From<&'c ManifestChange> for Change<'c> {
    fn from(change: &'c ManifestChange) -> Self {
        Self {
            breaking: change.breaking,
            rule: &change.rule,
            path: &change.path,
            summary: &change.summary,
            witness: change.witness.as_ref(),
        }
    }
}

/// Prints changes, breaking ones first.
pub(super) fn print<'c>(
    out: &mut dyn Write,
    changes: impl Iterator<Item = Change<'c>> + Clone,
) -> io::Result<()> {
    let harmless = changes.clone().filter(|change| !change.breaking);
    for change in changes.filter(|change| change.breaking).chain(harmless) {
        let (style, mark) = if change.breaking { (BAD, "✗") } else { (QUIET, "·") };
        writeln!(out, "  {style}{mark}{style:#} {}", visible(change.summary))?;
        let (rule, path) = (visible(change.rule), visible(change.path));
        writeln!(out, "    {QUIET}{rule} · {path}{QUIET:#}")?;
        if let Some(witness) = change.witness {
            writeln!(out, "    worked before, refused now: {}", visible(&witness.to_string()))?;
        }
    }
    Ok(())
}

/// Prints where to read more, once per report.
pub(super) fn print_help<'c>(
    out: &mut dyn Write,
    mut changes: impl Iterator<Item = Change<'c>> + Clone,
) -> io::Result<()> {
    let breaking = changes.clone().find(|change| change.breaking);
    let Some(first) = breaking.or_else(|| changes.next()) else { return Ok(()) };
    let rule = visible(first.rule);
    writeln!(out, "\n{QUIET}`assent manifest explain {rule}` tells why{QUIET:#}")
}
