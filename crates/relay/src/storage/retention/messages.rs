//! Messages that no event points to any more.

use std::collections::BTreeMap;

use assent_store::{StoreError, Tx, Work};

use super::{STEP, STEPS};
use crate::state::Relay;

/// Conversations that begin with an old message, behind one.
struct Conversations {
    before: i64,
    after: String,
}

const CONVERSATIONS: &str = "SELECT c.conversation_id FROM conversations c
    WHERE c.conversation_id > $2 AND $1 > (SELECT m.created_at FROM messages m
        WHERE m.conversation_id = c.conversation_id ORDER BY m.seq LIMIT 1)
    ORDER BY c.conversation_id LIMIT $3";

impl Work for Conversations {
    type Output = Vec<String>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<String>, StoreError> {
        let values = [self.before.into(), (&self.after).into(), STEP.into()];
        let rows = tx.all(CONVERSATIONS, &values).await?;
        rows.into_iter().map(|row| row.get(0)).collect()
    }
}

/// The first message that a recipient has yet to get, of conversations behind one.
struct Awaited {
    before: i64,
    after: String,
}

/// An event is a little younger than its message; more than enough.
const SLACK: i64 = 60_000;

/// Conversations whose awaited messages are held in memory at once.
const AT_ONCE: usize = 100_000;

const AWAITED: &str = "SELECT conversation_id, min(seq) FROM events
    WHERE created_at < $1 AND conversation_id > $2
    GROUP BY conversation_id ORDER BY conversation_id LIMIT $3";

impl Work for Awaited {
    type Output = BTreeMap<String, i64>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, StoreError> {
        let limit = i64::try_from(AT_ONCE).unwrap_or(i64::MAX);
        let before = self.before.saturating_add(SLACK);
        let values = [before.into(), (&self.after).into(), limit.into()];
        let rows = tx.all(AWAITED, &values).await?;
        rows.into_iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect()
    }
}

/// The first messages of a conversation that every recipient has.
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
        for row in tx.all(FIRST, &first).await? {
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
    for _ in 0..STEPS {
        let awaited = relay.store.read(Awaited { before, after: after.clone() }).await?;
        let known = match awaited.last_key_value() {
            Some((last, _)) if awaited.len() >= AT_ONCE => Some(last.clone()),
            _ => None,
        };
        forget_between(relay, before, after, known.as_deref(), &awaited).await?;
        match known {
            Some(last) => after = last,
            None => break,
        }
    }
    Ok(())
}

/// Conversations behind `after`, up to the `last` of which it is known what is awaited.
async fn forget_between(
    relay: &Relay,
    before: i64,
    mut after: String,
    last: Option<&str>,
    awaited: &BTreeMap<String, i64>,
) -> Result<(), StoreError> {
    for _ in 0..STEPS {
        let conversations = relay.store.read(Conversations { before, after }).await?;
        let Some(end) = conversations.last().cloned() else { break };
        for conversation in conversations {
            if last.is_some_and(|last| conversation.as_str() > last) {
                return Ok(());
            }
            let awaited = awaited.get(&conversation).copied().unwrap_or(i64::MAX);
            forget_in(relay, conversation, before, awaited).await?;
        }
        after = end;
    }
    Ok(())
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
