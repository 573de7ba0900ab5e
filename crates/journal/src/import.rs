//! Taking in what [`crate::export`] wrote.

use std::io::{BufRead, Read};

use assent_ids::{InvocationId, UnixMillis};
use serde::Deserialize;

use crate::{
    Batch, Draft, Entry, Fact, Journal, JournalError, Seq, check::Checker, codec,
    export::ExportLine,
};

/// Facts that are written in one go.
const BATCH: usize = 1_000;

/// Bytes that a line may have. One fact holds at most a result, and results of any size are kept
/// elsewhere.
const MAX_LINE: u64 = 64 << 20;

/// Why an export was not taken in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The journal has entries already.
    #[error("only an empty journal can take in another one, and this one has {0} entries")]
    NotEmpty(Seq),
    /// A line is not as an export writes it.
    #[error("line {line}: {what}")]
    Line {
        /// Which one, from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The lines are no journal that a runtime can have written.
    #[error("no journal can look like this: {}", .0.join("; "))]
    Illegal(Vec<String>),
    /// The lines could not be read.
    #[error("the lines cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// The journal refused.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Takes in an export, into a journal that has no entries yet, and returns how many there were. All
/// lines are read and checked before the first is written.
///
/// An export has facts only: what was claimed and what was held stays behind. The new journal tells
/// what happened; calls cannot go on in it.
///
/// # Errors
///
/// If the journal is not empty, if a line is not as an export writes it, or if the whole is no journal
/// that a runtime can have written.
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
    // Keys that are there twice, or that nobody here knows, were dropped in reading. Whatever was
    // dropped, the text is shorter without it; and no order of keys makes it longer.
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
