//! Opening a journal, in whatever form it is.

use std::{
    fs::File,
    io::{BufRead as _, BufReader},
    path::Path,
};

use assent_journal::{Entry, Journal, JournalError, MemoryJournal, Seq, SqliteJournal, import};

use crate::{input::Unreadable, remote};

/// Entries that are read at once.
const PAGE: usize = 1_000;

/// A journal to read from.
pub(super) enum Source {
    /// A file that a runtime writes.
    File(SqliteJournal),
    /// What was in an export.
    Lines(MemoryJournal),
}

impl Source {
    /// Opens the journal at `path`: a file of SQLite, or the lines of an export.
    pub(super) fn open(path: &Path) -> Result<Self, Unreadable> {
        let failed = |what: &dyn std::fmt::Display| Unreadable {
            message: format!("cannot read {}: {what}", path.display()),
        };
        let mut lines = BufReader::new(File::open(path).map_err(|error| failed(&error))?);
        let begin = lines.fill_buf().map_err(|error| failed(&error))?;
        if begin.first() == Some(&b'{') {
            let journal = MemoryJournal::new();
            let imported = remote::wait(import(&journal, &mut lines));
            imported.map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
            return Ok(Self::Lines(journal));
        }
        SqliteJournal::open_read_only(path).map(Self::File).map_err(|error| failed(&error))
    }

    pub(super) fn journal(&self) -> &dyn Journal {
        match self {
            Self::File(file) => file,
            Self::Lines(lines) => lines,
        }
    }

    /// Shows every entry to `look`, in order.
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
