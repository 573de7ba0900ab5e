//! Importing what [`crate::export`] wrote.

use std::io::{BufRead, Read};

use assent_ids::{InvocationId, UnixMillis};
use serde::Deserialize;

use crate::{
    Batch, Draft, Entry, Fact, Journal, JournalError, Seq, check::Checker, codec,
    export::ExportLine,
};

/// The number of facts in one batch.
const BATCH: usize = 1_000;

/// The maximum length of a line in bytes.
const MAX_LINE: u64 = 64 << 20;

/// Why an export was not imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The journal has entries already.
    #[error("only an empty journal can take in another one, and this one has {0} entries")]
    NotEmpty(Seq),
    /// A line is not as an export writes it.
    #[error("line {line}: {what}")]
    Line {
        /// The line number, from 1.
        line: u64,
        /// The problem.
        what: String,
    },
    /// No runtime that follows the rules can have written the lines.
    #[error("no journal can look like this: {}", .0.join("; "))]
    Illegal(Vec<String>),
    /// The lines could not be read.
    #[error("the lines cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Imports an export into an empty journal, and returns the number of entries. All lines are read and checked before
/// the first is written.
///
/// An export has facts only, without claims and saved states: calls cannot be resumed from the new journal.
///
/// # Errors
///
/// If the journal is not empty, if a line does not have the form of an export, or if no runtime that follows the rules
/// can have written the journal.
pub async fn import(journal: &dyn Journal, lines: &mut impl BufRead) -> Result<u64, ImportError> {
    let last = journal.last().await?;
    if last > Seq::default() {
        return Err(ImportError::NotEmpty(last));
    }
    let drafts = read(lines)?;
    let count = drafts.len() as u64;
    let mut rest = drafts.into_iter();
    loop {
        let drafts: Vec<Draft> = rest.by_ref().take(BATCH).collect();
        if drafts.is_empty() {
            return Ok(count);
        }
        journal.append(Batch { drafts, ..Batch::default() }).await?;
    }
}

/// Reads and checks all lines.
fn read(lines: &mut impl BufRead) -> Result<Vec<Draft>, ImportError> {
    let mut checker = Checker::default();
    let mut drafts = Vec::new();
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        lines.by_ref().take(MAX_LINE).read_until(b'\n', &mut text)?;
        if text.is_empty() {
            break;
        }
        let entry = entry(&text).map_err(|what| ImportError::Line { line, what })?;
        checker.check(&entry);
        if !checker.problems().is_empty() {
            break;
        }
        drafts.push(entry.draft);
    }
    checker.finish().map_err(ImportError::Illegal)?;
    Ok(drafts)
}

fn entry(line: &[u8]) -> Result<Entry, String> {
    let text = line.strip_suffix(b"\n").ok_or("it is cut off, or too long")?;
    let read: ImportLine = codec::read(text).map_err(|error| error.to_string())?;
    let ImportLine { seq, at, invocation, step, fact } = read;
    let at =
        Some(UnixMillis::new(at)).filter(|time| time.get() == at).ok_or("its time is too late")?;
    let entry = Entry { seq, draft: Draft { at, invocation, step, fact } };
    // Repeated and unknown keys were dropped by reading, which makes the text shorter. The order of keys does not
    // change its length.
    let mut again = Vec::with_capacity(text.len());
    codec::write(&mut again, &ExportLine::from(&entry)).map_err(|error| error.to_string())?;
    if again.len() == text.len() {
        Ok(entry)
    } else {
        Err("it says more than can be kept, or is spaced otherwise than an export".to_owned())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ImportLine {
    seq: Seq,
    at: u64,
    #[serde(default)]
    invocation: Option<InvocationId>,
    step: u32,
    fact: Fact,
}
