//! `assent audit verify JOURNAL`

use assent_journal::{Checker, Fact, JournalError};
use serde::Serialize;

use super::source::{Source, Unopened};
use crate::{
    cli::Journal,
    exit::Exit,
    output::{self, BAD, GOOD, STRONG, visible},
};

#[derive(Debug, Default, Serialize)]
struct Report {
    valid: bool,
    /// The counts; missing for an inconsistent export.
    #[serde(flatten)]
    counts: Option<Counts>,
    problems: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
struct Counts {
    entries: u64,
    calls: u64,
    /// Calls that have not ended.
    unfinished: u64,
}

pub(super) fn run(journal: &Journal, as_json: bool) -> Result<Exit, Exit> {
    let report = match Source::open(&journal.path) {
        Ok(source) => super::wait(verify(&source), as_json)?,
        // The journal was read and is inconsistent, which is a result and not an error.
        Err(Unopened::Impossible(problems)) => Report { problems, ..Report::default() },
        Err(Unopened::Unreadable(error)) => return Err(output::unreadable(&error, as_json)),
    };
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
        write!(out, "{style}{mark}{style:#} {STRONG}{name}{STRONG:#}: ")?;
        let Some(Counts { entries, calls, unfinished }) = report.counts else {
            return writeln!(out, "no journal can look like this");
        };
        writeln!(out, "{entries} entries of {calls} calls, {unfinished} of them not ended")
    }))
}

async fn verify(source: &Source) -> Result<Report, JournalError> {
    let mut report = Report::default();
    if let Source::File(file) = source {
        report.problems = file.integrity().await?;
    }
    let (mut checker, mut counts, mut ended) = (Checker::default(), Counts::default(), 0);
    let read = source.each(|entry| {
        checker.check(entry);
        counts.entries += 1;
        counts.calls += u64::from(matches!(entry.draft.fact, Fact::Planned(_)));
        ended += u64::from(matches!(entry.draft.fact, Fact::Ended(_)));
    });
    match read.await {
        // An unreadable entry is a finding like any other.
        Err(JournalError::Corrupt { what }) => report.problems.push(what),
        read => read?,
    }
    counts.unfinished = counts.calls.saturating_sub(ended);
    report.counts = Some(counts);
    report.problems.extend(checker.finish().err().unwrap_or_default());
    report.valid = report.problems.is_empty();
    Ok(report)
}
