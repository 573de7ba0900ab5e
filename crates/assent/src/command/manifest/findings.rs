//! Findings about a document, as text with excerpts and as JSON.

use std::io::{self, Write};

use assent_json::ReadError;
use assent_manifest::{Code, Finding};

use crate::{
    excerpt,
    exit::Exit,
    input::Input,
    output::{self, BAD, CAREFUL, QUIET, visible},
};

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Error,
    Warning,
}

/// The most findings of one level that a report for people shows.
const MAX_SHOWN: usize = 40;

/// Prints findings of one level, each with an excerpt.
pub(super) fn print(
    out: &mut dyn Write,
    input: &Input,
    level: Level,
    findings: &[Finding],
) -> io::Result<()> {
    let (style, word) = match level {
        Level::Error => (BAD, "error"),
        Level::Warning => (CAREFUL, "warning"),
    };
    let document = assent_json::read(&input.bytes);
    for Finding { code, path, message } in findings.iter().take(MAX_SHOWN) {
        writeln!(out, "{style}{word}[{code}]{style:#}: {}", visible(message))?;
        let span = match &document {
            Ok(document) => document.locate(path),
            Err(error) => error.offset..error.offset + 1,
        };
        excerpt::print(out, &input.name, &input.bytes, span, style, path)?;
        writeln!(out)?;
    }
    if let Some(more) = findings.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        writeln!(out, "… and {more} more {word}s, which `--json` lists\n")?;
    }
    Ok(())
}

/// Prints where to read more, once per report.
pub(super) fn print_help(out: &mut dyn Write, findings: &[&Finding]) -> io::Result<()> {
    let Some(first) = findings.first() else { return Ok(()) };
    let code = first.code;
    writeln!(out, "{QUIET}`assent manifest explain {code}` tells more about it{QUIET:#}")
}

/// Creates the finding for a text that cannot be read.
pub(super) fn of_read_error(error: &ReadError) -> Finding {
    Finding {
        code: Code::of_read_error(error),
        path: error.pointer.to_string(),
        message: error.kind.to_string(),
    }
}

/// Reports which of two documents is wrong, and why.
pub(super) fn bad_document(which: &str, input: &Input, errors: &[Finding], as_json: bool) -> Exit {
    if as_json {
        let report = serde_json::json!({"valid": false, "document": which, "errors": errors});
        return output::json(Exit::Bad, &report);
    }
    output::complain(Exit::Bad, |out| {
        print(out, input, Level::Error, errors)?;
        writeln!(out, "the {which} document cannot be compared")?;
        print_help(out, &errors.iter().collect::<Vec<_>>())
    })
}
