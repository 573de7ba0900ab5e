//! A journal as JSON Lines: its facts without loss, or the records that follow from them.

use std::{io::Write, sync::Arc};

use assent_ids::{InvocationId, UnixMillis};
use assent_protocol::agent_tool::RecordKind;
use serde::{Serialize, Serializer};

use crate::{Draft, Entry, Fact, Journal, JournalError, ProjectedRecord, Projector, Seq};

/// The number of entries that are read at once.
const PAGE: usize = 1_000;

/// Why a journal could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The journal could not be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The lines could not be written.
    #[error("the lines cannot be written: {0}")]
    Write(#[from] std::io::Error),
}

/// Writes every fact of `journal`, a line each: `{"seq","at","invocation","step","fact"}`. Returns how
/// many there were. [`crate::import`] reads it.
///
/// # Errors
///
/// If the journal cannot be read or the lines cannot be written.
pub async fn export(journal: &dyn Journal, out: &mut impl Write) -> Result<u64, ExportError> {
    let mut written = 0;
    let mut pages = Pages::of(journal);
    while let Some(page) = pages.next().await? {
        for entry in &page {
            write_line(out, &ExportLine::from(&**entry))?;
        }
        written += page.len() as u64;
    }
    Ok(written)
}

/// Writes the records that follow from `journal`, a line each: `{"seq","at_ms","record","data"}`.
/// Returns how many there were.
///
/// # Errors
///
/// If the journal cannot be read or the lines cannot be written.
pub async fn records_jsonl(
    journal: &dyn Journal,
    out: &mut impl Write,
) -> Result<u64, ExportError> {
    let mut lines = RecordLines::default();
    let mut pages = Pages::of(journal);
    while let Some(page) = pages.next().await? {
        for entry in &page {
            lines.write(entry, out)?;
        }
    }
    Ok(lines.written)
}

/// Writes records line by line, as entries come.
#[derive(Debug, Default)]
pub struct RecordLines {
    projector: Projector,
    began: Option<UnixMillis>,
    written: u64,
}

impl RecordLines {
    /// Lines of the records that `projector` makes.
    #[must_use]
    pub fn new(projector: Projector) -> Self {
        Self { projector, ..Self::default() }
    }

    /// Writes the lines of the next entry. Lines are numbered from 1; times count from the first entry.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn write(&mut self, entry: &Entry, out: &mut impl Write) -> std::io::Result<()> {
        let at = entry.draft.at;
        let began = *self.began.get_or_insert(at);
        let at_ms = at.get().saturating_sub(began.get());
        for data in self.projector.project(entry) {
            self.written = self.written.saturating_add(1);
            let record = data.kind();
            write_line(out, &RecordLine { seq: self.written, at_ms, record, data: &data })?;
        }
        Ok(())
    }
}

/// A line of an export.
#[derive(Serialize)]
pub(crate) struct ExportLine<'a> {
    seq: Seq,
    at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    invocation: Option<InvocationId>,
    step: u32,
    fact: &'a Fact,
}

impl<'a> From<&'a Entry> for ExportLine<'a> {
    fn from(entry: &'a Entry) -> Self {
        let Draft { at, invocation, step, fact } = &entry.draft;
        Self { seq: entry.seq, at: at.get(), invocation: *invocation, step: *step, fact }
    }
}

#[derive(Serialize)]
struct RecordLine<'a> {
    seq: u64,
    at_ms: u64,
    #[serde(serialize_with = "as_text")]
    record: RecordKind,
    data: &'a ProjectedRecord<'a>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn as_text<S: Serializer>(kind: &RecordKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(kind)
}

fn write_line(out: &mut impl Write, line: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// Reads the entries of a journal page by page, up to the last one at the beginning.
struct Pages<'a> {
    journal: &'a dyn Journal,
    next: Seq,
    last: Option<Seq>,
}

impl<'a> Pages<'a> {
    fn of(journal: &'a dyn Journal) -> Self {
        Self { journal, next: Seq::FIRST, last: None }
    }

    async fn next(&mut self) -> Result<Option<Vec<Arc<Entry>>>, JournalError> {
        let last = match self.last {
            Some(last) => last,
            None => *self.last.insert(self.journal.last().await?),
        };
        let left = last.next().0.saturating_sub(self.next.0);
        let limit = usize::try_from(left).unwrap_or(PAGE).min(PAGE);
        if limit == 0 {
            return Ok(None);
        }
        let page = self.journal.read(self.next, limit).await?;
        if let Some(entry) = page.last() {
            self.next = entry.seq.next();
        }
        Ok((!page.is_empty()).then_some(page))
    }
}
