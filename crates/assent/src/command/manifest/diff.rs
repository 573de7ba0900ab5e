//! `assent manifest diff OLD NEW`

use std::io::{self, Write};

use assent_manifest::{Change, Diff, DiffError, Side};

use super::findings;
use crate::{
    cli,
    exit::Exit,
    input::{self, Input},
    output::{self, BAD, GOOD, QUIET, STRONG, visible},
};

pub(super) fn run(arguments: &cli::Diff) -> Exit {
    let as_json = arguments.format.json;
    let (old, new) = match input::read_both(&arguments.old, &arguments.new) {
        Ok(inputs) => inputs,
        Err(error) => return output::unreadable(&error, as_json),
    };
    match assent_manifest::diff(&old.bytes, &new.bytes, arguments.rules.rules.into()) {
        Err(DiffError { side, errors }) => {
            let (which, input) = match side {
                Side::Old => ("old", &old),
                Side::New => ("new", &new),
            };
            findings::bad_document(which, input, &errors, as_json)
        }
        Ok(diff) => {
            let exit = if diff.breaking { Exit::Bad } else { Exit::AsAsked };
            if as_json {
                output::json(exit, &diff)
            } else {
                output::report(exit, |out| print(out, &old, &new, &diff))
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
    for change in diff.breaking_changes.iter().chain(diff.changes.iter().filter(|c| !c.breaking)) {
        print_change(out, change)?;
    }
    if !diff.scopes_requiring_reauth.is_empty() {
        let scopes: Vec<_> = diff.scopes_requiring_reauth.iter().map(String::as_str).collect();
        writeln!(out, "\nPeople have to agree again to {STRONG}{}{STRONG:#}.", scopes.join(", "))?;
    }
    if let Some(first) = diff.changes.first() {
        let rule = diff.breaking_changes.first().unwrap_or(first).rule;
        writeln!(out, "\n{QUIET}`assent manifest explain {rule}` tells why{QUIET:#}")?;
    }
    Ok(())
}

fn print_change(out: &mut dyn Write, change: &Change) -> io::Result<()> {
    let (style, mark) = if change.breaking { (BAD, "✗") } else { (QUIET, "·") };
    writeln!(out, "  {style}{mark}{style:#} {}", visible(&change.summary))?;
    writeln!(out, "    {QUIET}{} · {}{QUIET:#}", change.rule, visible(&change.path))?;
    if let Some(witness) = &change.witness {
        writeln!(out, "    worked before, refused now: {}", visible(&witness.to_string()))?;
    }
    Ok(())
}
