//! `assent audit …`: what journals tell.

mod calls;
mod export;
mod source;
mod verify;
mod why;

use assent_journal::JournalError;

use crate::{
    cli::Audit,
    exit::Exit,
    input::Unreadable,
    output::{self, BAD, visible},
};

pub(super) fn run(command: &Audit) -> Exit {
    match command {
        Audit::Calls(arguments) => calls::run(arguments),
        Audit::Why(arguments) => why::run(arguments),
        Audit::Verify { journal, format } => verify::run(journal, format.json),
        Audit::Export(arguments) => export::run(arguments),
    }
}

/// Says that the journal could not be read to its end.
fn unreadable(error: &JournalError, as_json: bool) -> Exit {
    output::unreadable(&Unreadable { message: error.to_string() }, as_json)
}

/// Says that what was asked for is not there.
fn missing(code: &str, message: &str, as_json: bool) -> Exit {
    if as_json {
        let error = serde_json::json!({"error": {"code": code, "message": message}});
        return output::json(Exit::Bad, &error);
    }
    output::complain(Exit::Bad, |out| writeln!(out, "{BAD}error{BAD:#}: {}", visible(message)))
}
