//! Who may come into a group.

use std::collections::BTreeSet;

use assent_ids::{AgentId, ConversationId, Principal, UnixMillis, UserId};
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::ledger::RelationKey;
use assent_store::Tx;

use crate::{
    conversations::{add_member, members},
    http::Refusal,
    relations,
};

/// People and agents who are to come into a group.
#[derive(Clone, Debug)]
pub(super) struct Newcomers {
    pub(super) people: BTreeSet<UserId>,
    pub(super) agents: BTreeSet<AgentId>,
}

const IS_PERSON: &str = "SELECT count(*) FROM users WHERE user_id = $1";
const RELATION: &str = "SELECT r.status FROM h2a_relations r
    JOIN agents a ON a.agent_id = r.agent_id
    WHERE r.user_id = $1 AND r.agent_id = $2 AND a.deleted_at IS NULL";

impl Newcomers {
    pub(super) fn new(people: &[UserId], agents: &[AgentId]) -> Self {
        Self { people: people.iter().copied().collect(), agents: agents.iter().copied().collect() }
    }

    /// Brings them in, if `host` may; a group never grows beyond `limit`.
    pub(super) async fn join(
        &self,
        tx: &mut Tx,
        conversation: ConversationId,
        host: UserId,
        limit: usize,
        now: UnixMillis,
    ) -> Result<(), Refusal> {
        for person in &self.people {
            let known: i64 = tx.scalar(IS_PERSON, &[person.to_string().into()]).await?;
            if known == 0 {
                return Err(Refusal::not_found("person"));
            }
            add_member(tx, conversation, Principal::User(*person), None, now).await?;
        }
        for agent in &self.agents {
            check_relation(tx, host, *agent).await?;
            add_member(tx, conversation, Principal::Agent(*agent), Some(host), now).await?;
        }
        if members(tx, conversation).await?.len() > limit {
            let text = format!("a group has at most {limit} members");
            return Err(ApiError::new(ApiCode::ValidationFailed, text).with("limit", limit).into());
        }
        Ok(())
    }
}

/// Only a person with an active relation adds an agent. The lock keeps the relation from ending before the agent is
/// in the group, where it would stay.
async fn check_relation(tx: &mut Tx, host: UserId, agent: AgentId) -> Result<(), Refusal> {
    relations::lock(tx, RelationKey { user_id: host, agent_id: agent }).await?;
    let row = tx.optional(RELATION, &[host.to_string().into(), agent.to_string().into()]).await?;
    let row = row.ok_or_else(|| Refusal::not_found("agent among those that you use"))?;
    if row.get::<String>(0)? == "active" {
        return Ok(());
    }
    Err(Refusal::new(ApiCode::RelationInactive, "your relation with this agent is not active"))
}
