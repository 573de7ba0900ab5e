//! Messages that no event points to any more.

use assent_store::{StoreError, Tx, Work};

use super::{STEP, STEPS};
use crate::relay::Relay;

/// Conversations with old messages, behind one.
struct Conversations {
    before: i64,
    after: String,
}

const CONVERSATIONS: &str = "SELECT DISTINCT conversation_id FROM messages
    WHERE created_at < $1 AND conversation_id > $2 ORDER BY conversation_id LIMIT $3";

impl Work for Conversations {
    type Output = Vec<String>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<String>, StoreError> {
        let values = [self.before.into(), (&self.after).into(), STEP.into()];
        let rows = tx.all(CONVERSATIONS, &values).await?;
        rows.into_iter().map(|mut row| row.get(0)).collect()
    }
}

/// The first message of a conversation that somebody has yet to get.
struct FirstAwaited(String);

const FIRST_AWAITED: &str = "SELECT min(e.seq) FROM conversation_members m
    JOIN events e ON e.party_id = m.party_id AND e.conversation_id = m.conversation_id
    WHERE m.conversation_id = $1";

impl Work for FirstAwaited {
    type Output = i64;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<i64, StoreError> {
        let first: Option<i64> = tx.scalar(FIRST_AWAITED, &[(&self.0).into()]).await?;
        Ok(first.unwrap_or(i64::MAX))
    }
}

struct Step {
    conversation: String,
    before: i64,
    awaited: i64,
}

const FORGET: &str = "DELETE FROM messages WHERE (conversation_id, seq) IN (
    SELECT conversation_id, seq FROM messages
    WHERE conversation_id = $1 AND created_at < $2 AND seq < $3 ORDER BY seq LIMIT $4)";

impl Work for Step {
    type Output = u64;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<u64, StoreError> {
        let values =
            [(&self.conversation).into(), self.before.into(), self.awaited.into(), STEP.into()];
        tx.execute(FORGET, &values).await
    }
}

/// Forgets from the beginning of each conversation, so that no reader ever sees a hole.
pub(super) async fn forget(relay: &Relay, before: i64) -> Result<(), StoreError> {
    let mut after = String::new();
    for _ in 0..STEPS {
        let conversations = relay.store.read(Conversations { before, after }).await?;
        let Some(last) = conversations.last().cloned() else { break };
        for conversation in conversations {
            forget_in(relay, conversation, before).await?;
        }
        after = last;
    }
    Ok(())
}

async fn forget_in(relay: &Relay, conversation: String, before: i64) -> Result<(), StoreError> {
    let awaited = relay.store.read(FirstAwaited(conversation.clone())).await?;
    for _ in 0..STEPS {
        let step = Step { conversation: conversation.clone(), before, awaited };
        if relay.store.write(step).await? == 0 {
            break;
        }
    }
    Ok(())
}
