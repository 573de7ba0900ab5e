//! `assent audit verify JOURNAL`

use assent_journal::{Checker, Fact, JournalError};
use serde::Serialize;

use super::source::Source;
use crate::{
    cli::Journal,
    exit::Exit,
    output::{self, BAD, GOOD, STRONG, visible},
};

#[derive(Debug, Default, Serialize)]
struct Report {
    valid: bool,
    entries: u64,
    calls: u64,
    /// Calls that have not ended.
    unfinished: u64,
    problems: Vec<String>,
}

pub(super) fn run(journal: &Journal, as_json: bool) -> Result<Exit, Exit> {
    let source = super::open(journal, as_json)?;
    let report = super::wait(verify(&source), as_json)?;
    let exit = if report.valid { Exit::AsAsked } else { Exit::Bad };
    if as_json {
        return Ok(output::json(exit, &report));
    }
    Ok(output::report(exit, |out| {
        for problem in &report.problems {
            writeln!(out, "{BAD}problem{BAD:#}: {}", visible(problem))?;
        }
        let name = visible(&journal.path.display().to_string());
        let (mark, style) = if report.valid { ("✓", GOOD) } else { ("✗", BAD) };
        let Report { entries, calls, unfinished, .. } = report;
        writeln!(
            out,
            "{style}{mark}{style:#} {STRONG}{name}{STRONG:#}: {entries} entries of {calls} calls, \
             {unfinished} of them not ended",
        )
    }))
}

async fn verify(source: &Source) -> Result<Report, JournalError> {
    let mut report = Report::default();
    if let Source::File(file) = source {
        report.problems = file.integrity().await?;
    }
    let (mut checker, mut ended) = (Checker::default(), 0);
    let read = source.each(|entry| {
        checker.check(entry);
        report.entries += 1;
        report.calls += u64::from(matches!(entry.draft.fact, Fact::Planned(_)));
        ended += u64::from(matches!(entry.draft.fact, Fact::Ended(_)));
    });
    match read.await {
        // What cannot be read is a finding like any other.
        Err(JournalError::Corrupt { what }) => report.problems.push(what),
        read => read?,
    }
    report.unfinished = report.calls.saturating_sub(ended);
    report.problems.extend(checker.finish().err().unwrap_or_default());
    report.valid = report.problems.is_empty();
    Ok(report)
}
