//! Opens a journal or an export.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Read as _},
    path::Path,
};

use assent_journal::{
    Entry, ImportError, Journal, JournalError, MemoryJournal, Seq, SqliteJournal, import,
};
use serde_json::Value;

use crate::{input::Unreadable, remote};

/// The number of entries that are read at once.
const PAGE: usize = 1_000;

/// The longest first line that is examined.
const MAX_FIRST_LINE: u64 = 1 << 20;

const RECORDS: &str = "it holds records of the Agent Tool standard, as `assent rehearse --journal` \
                       and `assent audit export --records` write them for other programs; `assent \
                       audit` reads the journal of a runtime, or what `assent audit export` writes \
                       without `--records`";

/// A journal to read from.
pub(super) enum Source {
    /// A file that a runtime writes.
    File(SqliteJournal),
    /// The entries of an export.
    Lines(MemoryJournal),
}

/// Why a journal was not opened.
pub(super) enum Unopened {
    /// The file cannot be read.
    Unreadable(Unreadable),
    /// Every line is valid, but together they are inconsistent.
    Impossible(Vec<String>),
}

impl Source {
    /// Opens the journal at `path`: a SQLite file, or an export.
    pub(super) fn open(path: &Path) -> Result<Self, Unopened> {
        let failed = |what: &dyn std::fmt::Display| {
            Unopened::Unreadable(Unreadable {
                message: format!("cannot read {}: {what}", path.display()),
            })
        };
        let mut lines = BufReader::new(File::open(path).map_err(|error| failed(&error))?);
        let begin = lines.fill_buf().map_err(|error| failed(&error))?;
        if begin.first() == Some(&b'{') {
            let journal = MemoryJournal::new();
            let imported = remote::wait(import(&journal, &mut lines));
            return match imported.map_err(|error| failed(&error))? {
                Ok(_) => Ok(Self::Lines(journal)),
                Err(ImportError::Illegal(problems)) => Err(Unopened::Impossible(problems)),
                Err(ImportError::Line { line: 1, .. }) if holds_records(path) => {
                    Err(failed(&RECORDS))
                }
                Err(error) => Err(failed(&error)),
            };
        }
        SqliteJournal::open_read_only(path).map(Self::File).map_err(|error| failed(&error))
    }

    pub(super) fn journal(&self) -> &dyn Journal {
        match self {
            Self::File(file) => file,
            Self::Lines(lines) => lines,
        }
    }

    /// Calls `look` with every entry, in order.
    pub(super) async fn each(&self, mut look: impl FnMut(&Entry)) -> Result<(), JournalError> {
        let mut next = Seq::FIRST;
        loop {
            let page = self.journal().read(next, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            next = last.seq.next();
            page.iter().for_each(|entry| look(entry));
        }
    }
}

/// Returns `true` if the first line is a record of the standard instead of a fact of the journal.
fn holds_records(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut line = Vec::new();
    let read = BufReader::new(file.take(MAX_FIRST_LINE)).read_until(b'\n', &mut line);
    let line: Option<Value> = read.ok().and_then(|_| serde_json::from_slice(&line).ok());
    let has = |key: &str| line.as_ref().is_some_and(|line| line.get(key).is_some());
    has("record") && has("data")
}
