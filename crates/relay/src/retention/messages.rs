//! Messages that no event points to any more.

use assent_store::{StoreError, Tx, Work};

use super::{STEP, STEPS, Walk, awaited::Awaited};
use crate::relay::Relay;

/// Conversations that begin with an old message.
const CONVERSATIONS: &str = "SELECT c.conversation_id FROM conversations c
    WHERE c.conversation_id > $2 AND $1 > (SELECT m.created_at FROM messages m
        WHERE m.conversation_id = c.conversation_id ORDER BY m.seq LIMIT 1)
    ORDER BY c.conversation_id LIMIT $3";

/// The first messages of a conversation that nobody awaits.
const FIRST: &str = "SELECT seq, created_at FROM messages
    WHERE conversation_id = $1 AND seq < $2 ORDER BY seq LIMIT $3";
const FORGET: &str = "DELETE FROM messages WHERE conversation_id = $1 AND seq <= $2";

/// One look at the first messages of a conversation.
struct Step {
    conversation: String,
    before: i64,
    awaited: i64,
}

impl Work for Step {
    /// Whether some were forgotten, so that there may be more.
    type Output = bool;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<bool, StoreError> {
        let first = [(&self.conversation).into(), self.awaited.into(), STEP.into()];
        let mut last_old = None;
        for mut row in tx.all(FIRST, &first).await? {
            // Up to the first that is young: times are those of several nodes, and numbers have no holes.
            if row.get::<i64>(1)? >= self.before {
                break;
            }
            last_old = Some(row.get::<i64>(0)?);
        }
        if let Some(last) = last_old {
            tx.execute(FORGET, &[(&self.conversation).into(), last.into()]).await?;
        }
        Ok(last_old.is_some())
    }
}

/// Forgets from the beginning of each conversation, so that no reader ever sees a hole.
pub(super) async fn forget(relay: &Relay, before: i64) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let awaited = Awaited::behind(relay, &after, before).await?;
        forget_behind(relay, &after, before, &awaited).await?;
        match awaited.last() {
            Some(last) => after = last.to_owned(),
            None => return Ok(()),
        }
    }
}

/// Conversations behind `after` of which it is known what is awaited.
async fn forget_behind(
    relay: &Relay,
    after: &str,
    before: i64,
    awaited: &Awaited,
) -> Result<(), StoreError> {
    let mut conversations = Walk::behind(after, CONVERSATIONS, before);
    loop {
        let some = conversations.next(relay).await?;
        if some.is_empty() {
            return Ok(());
        }
        for conversation in some {
            if !awaited.knows(&conversation) {
                return Ok(());
            }
            let awaited = awaited.in_conversation(&conversation).unwrap_or(i64::MAX);
            forget_in(relay, conversation, before, awaited).await?;
        }
    }
}

async fn forget_in(
    relay: &Relay,
    conversation: String,
    before: i64,
    awaited: i64,
) -> Result<(), StoreError> {
    for _ in 0..STEPS {
        let step = Step { conversation: conversation.clone(), before, awaited };
        if !relay.store.write(step).await? {
            break;
        }
    }
    Ok(())
}
