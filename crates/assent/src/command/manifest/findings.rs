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

/// Prints one finding and the place that it is about.
pub(super) fn print(
    out: &mut dyn Write,
    input: &Input,
    level: Level,
    finding: &Finding,
) -> io::Result<()> {
    let (style, word) = match level {
        Level::Error => (BAD, "error"),
        Level::Warning => (CAREFUL, "warning"),
    };
    let Finding { code, path, message } = finding;
    writeln!(out, "{style}{word}[{code}]{style:#}: {}", visible(message))?;
    let span = match assent_json::read(&input.bytes) {
        Ok(document) => document.locate(path),
        Err(error) => error.offset..error.offset + 1,
    };
    excerpt::print(out, &input.name, &input.bytes, span, style, path)?;
    writeln!(out)
}

/// Says where to read more, once for a whole report.
pub(super) fn print_help(out: &mut dyn Write, findings: &[&Finding]) -> io::Result<()> {
    let Some(first) = findings.first() else { return Ok(()) };
    let code = first.code;
    writeln!(out, "{QUIET}`assent manifest explain {code}` tells more about it{QUIET:#}")
}

/// The finding that a text cannot be read.
pub(super) fn of_read_error(error: &ReadError) -> Finding {
    Finding {
        code: Code::of_read_error(error),
        path: error.pointer.to_string(),
        message: error.kind.to_string(),
    }
}

/// Says which of two documents is bad, and why.
pub(super) fn bad_document(which: &str, input: &Input, errors: &[Finding], as_json: bool) -> Exit {
    if as_json {
        let report = serde_json::json!({"valid": false, "document": which, "errors": errors});
        return output::json(Exit::Bad, &report);
    }
    output::complain(Exit::Bad, |out| {
        for error in errors {
            print(out, input, Level::Error, error)?;
        }
        writeln!(out, "the {which} document cannot be compared")?;
        print_help(out, &errors.iter().collect::<Vec<_>>())
    })
}
