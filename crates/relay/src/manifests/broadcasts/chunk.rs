//! The next few hundred people.

use std::sync::Arc;

use assent_ids::AgentId;
use assent_store::{StoreError, Tx, Work};

use super::{
    deleted, keys_changed,
    news::{Broadcast, Kind, first},
    published,
};
use crate::{delivery::outbox::Outbox, http::Refusal, state::Relay};

/// People who are reached in one transaction.
pub(super) const PEOPLE: i64 = 256;

/// The last of the next people.
const END: &str = "SELECT max(user_id) FROM (SELECT user_id FROM h2a_relations
    WHERE agent_id = $1 AND user_id > $2 ORDER BY user_id LIMIT $3) AS next";
const ADVANCE: &str = "UPDATE broadcasts SET told_to = $3 WHERE agent_id = $1 AND version = $2";
const FINISH: &str = "DELETE FROM broadcasts WHERE agent_id = $1 AND version = $2";

/// Locks the broadcasts of `agent` until the transaction ends: nodes take turns.
pub(crate) async fn pause(tx: &mut Tx, agent: AgentId) -> Result<(), StoreError> {
    tx.lock(&format!("broadcast:{agent}")).await
}

/// Tells the oldest news of an agent to the next people.
pub(super) struct Chunk {
    pub(super) agent: AgentId,
    pub(super) relay: Arc<Relay>,
}

/// Some people, in the order of their ids: those after `after`, up to `last`.
pub(super) struct Range<'a> {
    pub(super) agent_id: &'a str,
    pub(super) after: &'a str,
    pub(super) last: &'a str,
}

impl Work for Chunk {
    type Output = ((), Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let mut outbox = Outbox::default();
        pause(tx, self.agent).await?;
        if let Some(broadcast) = first(tx, self.agent).await? {
            self.tell(tx, &broadcast, &mut outbox).await?;
        }
        Ok(((), outbox))
    }
}

impl Chunk {
    async fn tell(
        &self,
        tx: &mut Tx,
        broadcast: &Broadcast,
        outbox: &mut Outbox,
    ) -> Result<(), StoreError> {
        let agent_id = self.agent.to_string();
        let from = [(&agent_id).into(), (&broadcast.told_to).into(), PEOPLE.into()];
        let Some(last) = tx.scalar::<Option<String>>(END, &from).await? else {
            tx.execute(FINISH, &[agent_id.into(), broadcast.version.into()]).await?;
            return Ok(());
        };
        let range = Range { agent_id: &agent_id, after: &broadcast.told_to, last: &last };
        match &broadcast.kind {
            Kind::Reauth(hash, scopes) => {
                let news = published::Published::new(self.agent, broadcast.version, hash);
                news.ask_again(tx, &self.relay, &range, scopes, outbox).await?;
            }
            Kind::Changed(hash) => {
                let news = published::Published::new(self.agent, broadcast.version, hash);
                news.mention(tx, &self.relay, &range, outbox).await?;
            }
            Kind::KeysChanged => {
                keys_changed::tell(tx, &self.relay, self.agent, &range, outbox).await?;
            }
            Kind::Deleted => deleted::tell(tx, &self.relay, &range, outbox).await?,
        }
        tx.execute(
            ADVANCE,
            &[agent_id.as_str().into(), broadcast.version.into(), last.as_str().into()],
        )
        .await?;
        Ok(())
    }
}
