//! `assent manifest compare-schemas OLD NEW`

use std::{
    io::{self, Write},
    path::Path,
};

use assent_manifest::{Code, Finding};
use assent_schema::{Comparer, Comparison, SchemaHandle, SchemaProblem, Verdict};
use serde::Serialize;
use serde_json::Value;

use super::findings;
use crate::{
    exit::Exit,
    input::{self, Input},
    output::{self, BAD, CAREFUL, GOOD, visible},
};

pub(super) fn run(old: &Path, new: &Path, as_json: bool) -> Exit {
    let (old, new) = match input::read_both(old, new) {
        Ok(inputs) => inputs,
        Err(error) => return output::unreadable(&error, as_json),
    };
    let mut comparer = Comparer::default();
    let before = match add(&mut comparer, &old) {
        Ok(handle) => handle,
        Err(errors) => return findings::bad_document("old", &old, &errors, as_json),
    };
    let after = match add(&mut comparer, &new) {
        Ok(handle) => handle,
        Err(errors) => return findings::bad_document("new", &new, &errors, as_json),
    };
    let comparison = comparer.compare(before, after);
    if as_json {
        output::json(Exit::AsAsked, &ComparisonJson::of(&comparison))
    } else {
        output::report(Exit::AsAsked, |out| print(out, &comparison))
    }
}

fn add(comparer: &mut Comparer, input: &Input) -> Result<SchemaHandle, Vec<Finding>> {
    let document =
        assent_json::read(&input.bytes).map_err(|error| vec![findings::of_read_error(&error)])?;
    comparer
        .add(&document.root().to_value())
        .map_err(|problems| problems.into_iter().map(finding).collect())
}

fn finding(problem: SchemaProblem) -> Finding {
    Finding {
        code: Code::of_schema_problem(problem.kind),
        path: problem.pointer.to_string(),
        message: problem.message,
    }
}

/// The comparison as the contract writes it.
#[derive(Serialize)]
struct ComparisonJson<'c> {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness_lost: Option<&'c Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness_gained: Option<&'c Value>,
}

impl<'c> ComparisonJson<'c> {
    fn of(comparison: &'c Comparison) -> Self {
        Self {
            verdict: comparison.verdict().name(),
            witness_lost: comparison.lost.witness(),
            witness_gained: comparison.gained.witness(),
        }
    }
}

fn print(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    let verdict = comparison.verdict();
    let (style, meaning) = match verdict {
        Verdict::Equal => (GOOD, "both schemas accept the same inputs"),
        Verdict::Wider => (GOOD, "the new schema accepts all that the old one does, and more"),
        Verdict::Narrower => (BAD, "the new schema refuses some of what the old one accepts"),
        Verdict::Incomparable => (BAD, "each schema accepts something that the other refuses"),
        Verdict::Unknown => (CAREFUL, "this could not be decided; take it for a breaking change"),
    };
    writeln!(out, "{style}{}{style:#}: {meaning}", verdict.name())?;
    for (what, difference) in [("lost", &comparison.lost), ("gained", &comparison.gained)] {
        if let Some(witness) = difference.witness() {
            writeln!(out, "  {what}: {}", visible(&witness.to_string()))?;
        }
    }
    Ok(())
}
