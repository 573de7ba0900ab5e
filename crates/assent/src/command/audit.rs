//! `assent audit …`: reads journals.

mod calls;
mod export;
mod replay;
mod source;
mod verify;
mod why;

use assent_journal::JournalError;

use self::source::{Source, Unopened};
use crate::{
    cli::{Audit, Journal},
    exit::Exit,
    input::Unreadable,
    output, remote,
};

pub(super) fn run(command: &Audit) -> Exit {
    let done = match command {
        Audit::Calls(arguments) => calls::run(arguments),
        Audit::Why(arguments) => why::run(arguments),
        Audit::Verify { journal, format } => verify::run(journal, format.json),
        Audit::Export(arguments) => export::run(arguments),
        Audit::Replay(arguments) => replay::run(arguments),
    };
    done.unwrap_or_else(|failed| failed)
}

/// Opens a journal, or reports why it cannot be opened.
fn open(journal: &Journal, as_json: bool) -> Result<Source, Exit> {
    Source::open(&journal.path).map_err(|unopened| {
        let error = match unopened {
            Unopened::Unreadable(error) => error,
            Unopened::Impossible(problems) => {
                let (path, problems) = (journal.path.display(), problems.join("; "));
                let message =
                    format!("cannot read {path}: no journal can look like this: {problems}");
                Unreadable { message }
            }
        };
        output::unreadable(&error, as_json)
    })
}

/// Returns what was read from a journal, or reports why it cannot be read.
fn wait<T>(
    reading: impl Future<Output = Result<T, JournalError>>,
    as_json: bool,
) -> Result<T, Exit> {
    let failed = |message| output::unreadable(&Unreadable { message }, as_json);
    let read = remote::wait(reading).map_err(|error| failed(error.to_string()))?;
    read.map_err(|error| failed(error.to_string()))
}
