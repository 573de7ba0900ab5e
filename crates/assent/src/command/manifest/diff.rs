//! `assent manifest diff OLD NEW`

use std::io::{self, Write};

use assent_manifest::{Diff, DiffError, RuleSet, Side};

use super::{
    changes::{self, Change},
    findings,
};
use crate::{
    cli,
    exit::Exit,
    input::{self, Input},
    output::{self, BAD, GOOD, STRONG, visible},
};

pub(super) fn run(arguments: &cli::Diff) -> Exit {
    let as_json = arguments.format.json;
    let (old, new) = match input::read_both(&arguments.old, &arguments.new) {
        Ok(inputs) => inputs,
        Err(error) => return output::unreadable(&error, as_json),
    };
    compare(&old, &new, arguments.rules.rules.into(), as_json)
}

/// Prints the changes; breaking changes exit with 1.
pub(super) fn compare(old: &Input, new: &Input, rules: RuleSet, as_json: bool) -> Exit {
    match assent_manifest::diff(&old.bytes, &new.bytes, rules) {
        Err(DiffError { side, errors }) => {
            let (which, input) = match side {
                Side::Old => ("old", old),
                Side::New => ("new", new),
            };
            findings::bad_document(which, input, &errors, as_json)
        }
        Ok(diff) => {
            let exit = if diff.breaking { Exit::Bad } else { Exit::AsAsked };
            if as_json {
                output::json(exit, &diff)
            } else {
                output::report(exit, |out| print(out, old, new, &diff))
            }
        }
    }
}

fn print(out: &mut dyn Write, old: &Input, new: &Input, diff: &Diff) -> io::Result<()> {
    let (old, new) = (visible(&old.name), visible(&new.name));
    let (all, breaking) = (diff.changes.len(), diff.breaking_changes.len());
    let changes = if all == 1 { "change" } else { "changes" };
    match (all, breaking) {
        (0, _) => return writeln!(out, "{GOOD}✓{GOOD:#} {old} and {new} say the same"),
        (_, 0) => {
            writeln!(out, "{GOOD}✓{GOOD:#} {old} → {new}: {all} {changes}, none is breaking")?
        }
        _ => writeln!(
            out,
            "{BAD}✗{BAD:#} {old} → {new}: {all} {changes}, {BAD}{breaking} breaking{BAD:#}"
        )?,
    }
    writeln!(out)?;
    changes::print(out, diff.changes.iter().map(Change::from))?;
    if !diff.scopes_requiring_reauth.is_empty() {
        let scopes: Vec<_> = diff.scopes_requiring_reauth.iter().map(String::as_str).collect();
        writeln!(out, "\nPeople have to agree again to {STRONG}{}{STRONG:#}.", scopes.join(", "))?;
    }
    changes::print_help(out, diff.changes.iter().map(Change::from))
}
