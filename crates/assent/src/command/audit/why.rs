//! `assent audit why JOURNAL CALL`

use assent_ids::InvocationId;
use assent_journal::explain;

use crate::{cli::Why, exit::Exit, output};

pub(super) fn run(arguments: &Why) -> Result<Exit, Exit> {
    let as_json = arguments.format.json;
    let call: InvocationId = arguments.call.parse().map_err(|_| {
        let message =
            "a call is named by its id, inv_ and 26 characters: `assent audit calls` lists them";
        output::misused(message, as_json)
    })?;
    let source = super::open(&arguments.journal, as_json)?;
    let entries = super::wait(source.journal().of_call(call), as_json)?;
    let explanation = explain(entries.iter().map(|entry| &**entry)).ok_or_else(|| {
        let message = format!("the journal knows no call {call}");
        output::failed(Exit::Bad, "CALL_UNKNOWN", &message, as_json)
    })?;
    Ok(if as_json {
        output::json(Exit::AsAsked, &explanation)
    } else {
        output::report(Exit::AsAsked, |out| write!(out, "{explanation}"))
    })
}
