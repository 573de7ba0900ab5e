//! `assent agent call`

use std::fmt;

use assent_agent::{Agent, AgentDirectory, ToolRequest};
use assent_ids::{CallId, ConversationId};
use assent_protocol::wire::Word as _;
use assent_service::settings::duration;

use super::{
    Failure, arguments, call_id, connect, conversation,
    outcome::{CallOutcome, CallStatus},
};
use crate::{
    cli,
    exit::Exit,
    output::{self, BAD, QUIET, STRONG, visible},
};

pub(super) async fn run(
    directory: &AgentDirectory,
    command: &cli::Call,
    as_json: bool,
) -> Result<Exit, Failure> {
    let (named, words) = conversation::take(&command.words)?;
    let call_id = match &command.call_id {
        Some(id) => id.parse().map_err(|error| wrong("--call-id", &error))?,
        None => call_id::new()?,
    };
    let request = request(command, words)?.call_id(call_id.clone());
    let agent = connect(directory).await?;
    let conversation = conversation::choose(&agent, named).await?;
    let outcome = call(&agent, conversation, call_id, request).await;
    // What was withdrawn is sent before the process ends.
    agent.close().await;
    let outcome = outcome?;
    Ok(if as_json { output::json(outcome.exit(), &outcome) } else { print(&outcome) })
}

fn request(command: &cli::Call, words: &[String]) -> Result<ToolRequest, Failure> {
    let (tool, rest) = match words {
        [tool] => (tool, None),
        [tool, arguments] => (tool, Some(arguments.as_str())),
        _ => {
            let message = "expected `assent agent call [CONVERSATION] TOOL [JSON|@FILE|-]`";
            return Err(Failure::WrongUse(message.to_owned()));
        }
    };
    let timeout = duration(&command.timeout).map_err(|error| wrong("--timeout", &error))?;
    let mut request = ToolRequest::new(tool, arguments::read(rest)?).total_timeout(timeout);
    if let Some(reason) = &command.reason {
        request = request.reason(reason);
    }
    Ok(request)
}

fn wrong(flag: &str, error: &impl fmt::Display) -> Failure {
    Failure::WrongUse(format!("`{flag}` is wrong: {error}"))
}

async fn call(
    agent: &Agent,
    conversation: ConversationId,
    call_id: CallId,
    request: ToolRequest,
) -> Result<CallOutcome, Failure> {
    let ended = match agent.start_call(conversation, request).await {
        Ok(call) => {
            output::complain(Exit::AsAsked, |out| {
                writeln!(out, "{QUIET}waiting for the answer to the call {call_id}{QUIET:#}")
            });
            call.await
        }
        Err(error) => Err(error),
    };
    Ok(CallOutcome::of(Some(call_id), ended)?)
}

/// Prints the result on standard output, or on standard error why there is none.
fn print(outcome: &CallOutcome) -> Exit {
    if let (CallStatus::Ok, Some(result)) = (outcome.status, &outcome.result) {
        let text = serde_json::to_string_pretty(result).unwrap_or_default();
        return output::raw(format!("{text}\n").as_bytes());
    }
    output::complain(outcome.exit(), |out| {
        let status = match outcome.status {
            CallStatus::None => "no answer",
            status => status.word(),
        };
        let words = [&outcome.error_code, &outcome.reason, &outcome.detail];
        let words: Vec<String> = words.into_iter().flatten().map(|word| visible(word)).collect();
        writeln!(out, "{BAD}✗{BAD:#} {STRONG}{status}{STRONG:#}: {}", words.join(", "))
    })
}
