//! Reports the mistakes of a document, each with its line.

use assent_json::Problem;
use serde_json::json;

use crate::{
    excerpt,
    exit::Exit,
    input::Input,
    output::{self, BAD, STRONG, visible},
};

/// Reports the mistakes of a document: to people on standard error, to machines on standard output.
pub(crate) fn report(input: &Input, problems: &[Problem], as_json: bool) -> Exit {
    if as_json {
        let errors: Vec<_> = problems
            .iter()
            .map(|problem| {
                json!({
                    "path": problem.path,
                    "line": problem.line,
                    "column": problem.column,
                    "message": problem.message,
                })
            })
            .collect();
        return output::json(Exit::WrongUse, &json!({"valid": false, "errors": errors}));
    }
    output::complain(Exit::WrongUse, |out| {
        for problem in problems {
            let place = if problem.path.is_empty() { "the file" } else { &problem.path };
            writeln!(out, "{BAD}error{BAD:#}: {}", visible(&problem.message))?;
            let at = offset(&input.bytes, problem.line, problem.column);
            excerpt::print(out, &input.name, &input.bytes, at..at + 1, BAD, place)?;
        }
        let name = visible(&input.name);
        let count = match problems.len() {
            1 => "1 problem".to_owned(),
            more => format!("{more} problems"),
        };
        writeln!(out, "{BAD}✗{BAD:#} {STRONG}{name}{STRONG:#} has {count}")
    })
}

/// Returns the offset of a line and a column, both from 1; columns count characters.
fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let mut breaks = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let start = match line.checked_sub(2) {
        Some(before) => breaks.nth(before).map_or(text.len(), |(at, _)| at + 1),
        None => 0,
    };
    let rest = String::from_utf8_lossy(text.get(start..).unwrap_or_default());
    let characters = rest.chars().take(column.saturating_sub(1));
    start + characters.map(char::len_utf8).sum::<usize>()
}
