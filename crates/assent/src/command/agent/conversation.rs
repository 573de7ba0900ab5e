//! The conversation that a command is about.

use assent_agent::{Agent, RelationSummary};
use assent_ids::ConversationId;

use super::Failure;

/// Takes the conversation off the front of `words`, if it is there: it is the only word that begins with `cnv_`.
pub(super) fn take(words: &[String]) -> Result<(Option<ConversationId>, &[String]), Failure> {
    match words.split_first() {
        Some((first, rest)) if first.starts_with("cnv_") && !rest.is_empty() => {
            let conversation = first.parse().map_err(|_| {
                Failure::WrongUse(format!("`{first}` is not the id of a conversation, `cnv_…`"))
            })?;
            Ok((Some(conversation), rest))
        }
        _ => Ok((None, words)),
    }
}

/// The conversation that was named, or the only one with an active relation.
pub(super) async fn choose(
    agent: &Agent,
    named: Option<ConversationId>,
) -> Result<ConversationId, Failure> {
    if let Some(conversation) = named {
        return Ok(conversation);
    }
    let relations = agent.relations().await?;
    let active: Vec<&RelationSummary> =
        relations.iter().filter(|relation| relation.is_active).collect();
    match active.as_slice() {
        [relation] => Ok(relation.conversation_id),
        [] => {
            let message = "the agent has no active relation; a person adds it with the link that `assent agent whoami` prints";
            Err(Failure::Failed("NO_RELATION", message.to_owned()))
        }
        several => {
            let ids: Vec<String> =
                several.iter().map(|relation| relation.conversation_id.to_string()).collect();
            let message = format!("name the conversation, one of {}", ids.join(", "));
            Err(Failure::WrongUse(message))
        }
    }
}
