//! `assent agent send`

use assent_agent::AgentDirectory;

use super::{Failure, connect, conversation};
use crate::{
    exit::Exit,
    output::{self, GOOD},
};

pub(super) async fn run(
    directory: &AgentDirectory,
    words: &[String],
    as_json: bool,
) -> Result<Exit, Failure> {
    let (named, rest) = conversation::take(words)?;
    let [text] = rest else {
        let message = "put the text into quotes: `assent agent send [CONVERSATION] TEXT`";
        return Err(Failure::WrongUse(message.to_owned()));
    };
    let agent = connect(directory).await?;
    let conversation = conversation::choose(&agent, named).await?;
    let sent = agent.send(conversation, text.as_str()).await?;
    let client_message_id = sent.client_message_id().clone();
    sent.stored().await?;
    agent.close().await;
    if as_json {
        let report = serde_json::json!({
            "conversation_id": conversation, "client_message_id": client_message_id,
        });
        return Ok(output::json(Exit::AsAsked, &report));
    }
    Ok(output::report(Exit::AsAsked, |out| writeln!(out, "{GOOD}✓{GOOD:#} sent to {conversation}")))
}
