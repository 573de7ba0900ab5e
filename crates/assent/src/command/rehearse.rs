//! `assent rehearse FILE`

mod search;
mod timeline;

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use assent_journal::RecordLines;
use assent_rehearsal::{CallReport, Format, Options, Rehearsed, RunError, timelines};
use serde_json::json;

use crate::{
    cli,
    exit::Exit,
    input::{self, Input, Unreadable},
    output::{self, BAD, GOOD, STRONG, visible},
    problems,
};

pub(super) fn run(arguments: &cli::Rehearse) -> Exit {
    let as_json = arguments.format.json;
    let input = match input::read(&arguments.file) {
        Ok(input) => input,
        Err(error) => return output::unreadable(&error, as_json),
    };
    let format = Format::of(&input.name, &input.bytes);
    let scenario = match assent_rehearsal::read(&input.bytes, format) {
        Ok(scenario) => scenario,
        Err(problems) => return problems::report(&input, problems.as_slice(), as_json),
    };
    let options = Options { reveal: arguments.reveal, ..Options::default() };
    let rehearsed = match assent_rehearsal::run(&scenario, options) {
        Ok(rehearsed) => rehearsed,
        Err(error) => return unusable(&input, &error, as_json),
    };
    if let Some(path) = &arguments.journal
        && let Err(error) = write_journal(path, &rehearsed)
    {
        let message = format!("cannot write {}: {error}", path.display());
        return output::unreadable(&Unreadable { message }, as_json);
    }
    let exit = if rehearsed.unmet.is_empty() { Exit::AsAsked } else { Exit::Bad };
    if as_json {
        // The JSON report follows the contract; failed expectations go to standard error.
        output::complain(exit, |out| print_unmet(out, &rehearsed));
        output::json(exit, &rehearsed.report)
    } else {
        output::report(exit, |out| print(out, &input, &rehearsed))
    }
}

fn unusable(input: &Input, error: &RunError, as_json: bool) -> Exit {
    let details: Vec<String> = match error {
        RunError::Rules(error) => error.lines().collect(),
        RunError::Tool { problems, .. } => problems.clone(),
        RunError::Hook { .. }
        | RunError::Scheduler(_)
        | RunError::Machine(_)
        | RunError::Journal(_) => Vec::new(),
    };
    if as_json {
        let errors: Vec<_> = std::iter::once(error.to_string())
            .chain(details)
            .map(|message| json!({"message": message}))
            .collect();
        return output::json(Exit::WrongUse, &json!({"valid": false, "errors": errors}));
    }
    output::complain(Exit::WrongUse, |out| {
        let name = visible(&input.name);
        writeln!(out, "{BAD}error{BAD:#}: {name}: {}", visible(&error.to_string()))?;
        for detail in &details {
            writeln!(out, "  {}", visible(detail))?;
        }
        Ok(())
    })
}

fn write_journal(path: &Path, rehearsed: &Rehearsed) -> io::Result<()> {
    let mut lines = RecordLines::default();
    let mut out = io::BufWriter::new(fs::File::create(path)?);
    for entry in &rehearsed.entries {
        lines.write(entry, &mut out).map_err(io::Error::other)?;
    }
    out.flush()
}

fn print(out: &mut dyn Write, input: &Input, rehearsed: &Rehearsed) -> io::Result<()> {
    for found in &rehearsed.report.search {
        search::print(out, found)?;
    }
    for timeline in timelines(&rehearsed.entries) {
        let called = |call: &&CallReport| call.invocation_id == timeline.invocation;
        let id = rehearsed.report.calls.iter().find(called).map(|call| call.id.to_string());
        timeline::print(out, id.as_deref().unwrap_or_default(), &timeline)?;
    }
    print_unmet(out, rehearsed)?;
    let report = &rehearsed.report;
    let name = visible(&input.name);
    let (mark, style) = if rehearsed.unmet.is_empty() { ("✓", GOOD) } else { ("✗", BAD) };
    writeln!(
        out,
        "{style}{mark}{style:#} {STRONG}{name}{STRONG:#}: {}, {} ms, {}",
        match report.calls.len() {
            1 => "1 call".to_owned(),
            more => format!("{more} calls"),
        },
        report.duration_ms,
        match rehearsed.unmet.len() {
            0 if rehearsed.expected == 0 => "nothing was expected".to_owned(),
            0 => "every expectation held".to_owned(),
            1 => "1 expectation did not hold".to_owned(),
            more => format!("{more} expectations did not hold"),
        }
    )
}

fn print_unmet(out: &mut dyn Write, rehearsed: &Rehearsed) -> io::Result<()> {
    for unmet in &rehearsed.unmet {
        writeln!(out, "{BAD}✗{BAD:#} {}", visible(&unmet.to_string()))?;
    }
    Ok(())
}
