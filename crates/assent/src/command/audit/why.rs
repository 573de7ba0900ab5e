//! `assent audit why JOURNAL CALL`

use assent_ids::InvocationId;
use assent_journal::explain;

use super::source::Source;
use crate::{cli::Why, exit::Exit, input::Unreadable, output, remote};

pub(super) fn run(arguments: &Why) -> Exit {
    let as_json = arguments.format.json;
    let Ok(call) = arguments.call.parse::<InvocationId>() else {
        let message =
            "a call is named by its id, inv_ and 26 characters: `assent audit calls` lists them";
        return remote::misused(message, as_json);
    };
    let source = match Source::open(&arguments.journal.path) {
        Ok(source) => source,
        Err(error) => return output::unreadable(&error, as_json),
    };
    let entries = match remote::wait(source.journal().of_call(call)) {
        Ok(Ok(entries)) => entries,
        Ok(Err(error)) => return super::unreadable(&error, as_json),
        Err(error) => {
            return output::unreadable(&Unreadable { message: error.to_string() }, as_json);
        }
    };
    let Some(explanation) = explain(entries.iter().map(|entry| &**entry)) else {
        let message = format!("the journal knows no call {call}");
        return super::missing("CALL_UNKNOWN", &message, as_json);
    };
    if as_json {
        output::json(Exit::AsAsked, &explanation)
    } else {
        output::report(Exit::AsAsked, |out| write!(out, "{explanation}"))
    }
}
