//! Calls to a relay by commands that end with its response.

use assent_relay_client::ClientError;

use crate::{
    exit::Exit,
    output::{self, BAD, QUIET, visible},
};

/// Runs `future` to completion on this thread.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> Result<T, std::io::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(future))
}

/// The code of an error of the client.
pub(crate) fn code(error: &ClientError) -> &str {
    match error {
        ClientError::Refused(refusal) => {
            refusal.code.as_ref().map_or("NOT_A_RELAY", |code| code.as_str())
        }
        _ => "RELAY_UNREACHABLE",
    }
}

/// Reports why a call failed and what to do about it, with `--json` also as an object on standard output.
pub(crate) fn failed(error: &ClientError, as_json: bool) -> Exit {
    let (exit, advice) = match error {
        ClientError::Refused(refusal) => (Exit::Bad, refusal.advice()),
        _ => (Exit::WrongUse, None),
    };
    let exit = output::complain(exit, |out| {
        writeln!(out, "{BAD}error{BAD:#}: {}", visible(&error.to_string()))?;
        match advice {
            Some(advice) => writeln!(out, "{QUIET}{advice}{QUIET:#}"),
            None => Ok(()),
        }
    });
    if !as_json {
        return exit;
    }
    let mut report = serde_json::json!({"code": code(error), "message": error.to_string()});
    if let (ClientError::Refused(refusal), Some(report)) = (error, report.as_object_mut()) {
        let params = serde_json::to_value(&refusal.params).unwrap_or_default();
        report.insert("params".to_owned(), params);
    }
    output::json(exit, &serde_json::json!({ "error": report }))
}
