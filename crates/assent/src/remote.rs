//! Talking to a relay from a command that ends with the answer.

use assent_relay_api::client::ClientError;

use crate::{
    exit::Exit,
    output::{self, BAD, QUIET, visible},
};

/// What `future` gives, on this thread alone.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> Result<T, std::io::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(future))
}

/// Says why there is no answer, and what to do.
pub(crate) fn failed(error: &ClientError, as_json: bool) -> Exit {
    let (exit, code, advice) = match error {
        ClientError::Refused(refusal) => {
            let code = refusal.code.as_ref().map_or("NOT_A_RELAY", |code| code.as_str());
            (Exit::Bad, code, refusal.advice())
        }
        _ => (Exit::WrongUse, "RELAY_UNREACHABLE", None),
    };
    if as_json {
        let mut report = serde_json::json!({"code": code, "message": error.to_string()});
        if let (ClientError::Refused(refusal), Some(report)) = (error, report.as_object_mut()) {
            let params = serde_json::to_value(&refusal.params).unwrap_or_default();
            report.insert("params".to_owned(), params);
        }
        return output::json(exit, &serde_json::json!({ "error": report }));
    }
    output::complain(exit, |out| {
        writeln!(out, "{BAD}error{BAD:#}: {}", visible(&error.to_string()))?;
        match advice {
            Some(advice) => writeln!(out, "{QUIET}{advice}{QUIET:#}"),
            None => Ok(()),
        }
    })
}
