//! Tokens of agents: shown once, kept as hashes.

use std::{sync::Arc, time::Duration};

use assent_ids::{AgentId, Principal, TokenId, UnixMillis};
use assent_protocol::{
    a2h::{InvalidationReason, RelayEventType, SessionInvalidated},
    wire::Object,
};
use assent_relay_api::model::TokenScope;
use assent_store::{StoreError, Tx, Work};

use crate::{
    accounts::secrets::hash,
    delivery::{
        events::{self, Content},
        outbox::Outbox,
    },
    state::Relay,
    storage::{columns::to_json, times::millis},
};

/// How often it is written down that a token is in use.
const NOTED_EVERY: Duration = Duration::from_secs(5 * 60);

const STORE: &str =
    "INSERT INTO agent_tokens (token_id, agent_id, token_hash, name, scopes, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)";

/// A token to be kept.
pub(crate) struct NewToken<'a> {
    pub(crate) token_id: TokenId,
    pub(crate) agent: AgentId,
    pub(crate) secret: &'a str,
    pub(crate) name: Option<&'a str>,
    pub(crate) scopes: &'a [TokenScope],
}

/// Keeps the hash of a token.
pub(crate) async fn store(
    tx: &mut Tx,
    token: &NewToken<'_>,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let scopes: Vec<&str> = token.scopes.iter().map(|scope| scope.as_str()).collect();
    let row = [
        token.token_id.to_string().into(),
        token.agent.to_string().into(),
        hash(token.secret).into(),
        token.name.into(),
        to_json(&scopes)?.into(),
        millis(now).into(),
    ];
    tx.execute(STORE, &row).await?;
    Ok(())
}

/// Tells an agent that one of its tokens was revoked, or that it was deleted and all of them mean nothing.
pub(crate) async fn tell_end(
    tx: &mut Tx,
    relay: &Relay,
    agent: AgentId,
    token: Option<TokenId>,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let reason = match token {
        Some(_) => InvalidationReason::TokenRevoked,
        None => InvalidationReason::AgentDeleted,
    };
    let token = token.map(|token| ("token_id".to_owned(), token.to_string().into()));
    let extra = token.into_iter().collect::<Object>();
    let data = SessionInvalidated { reason: reason.into(), extra };
    let content = Content::notice(RelayEventType::SessionInvalidated, &data)?;
    let agent = Principal::Agent(agent);
    events::append_one(tx, &relay.minter, agent, &content, outbox).await.map(|_| ())
}

/// Stores that a token was used, unless that was stored recently. The request does not wait for it.
pub(crate) fn note_use(relay: &Arc<Relay>, token: TokenId, noted_at: Option<i64>) {
    let now = relay.now();
    let every = i64::try_from(NOTED_EVERY.as_millis()).unwrap_or(i64::MAX);
    let due_after = millis(now).saturating_sub(every);
    if noted_at.is_some_and(|noted_at| noted_at > due_after) {
        return;
    }
    let store = relay.store.clone();
    relay.tasks.spawn(async move {
        if let Err(error) = store.write(NoteUse { token, now, due_after }).await {
            tracing::debug!(%error, "the use of a token could not be noted");
        }
    });
}

struct NoteUse {
    token: TokenId,
    now: UnixMillis,
    due_after: i64,
}

impl Work for NoteUse {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let note = "UPDATE agent_tokens SET last_used_at = $2
            WHERE token_id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)";
        let row = [self.token.to_string().into(), millis(self.now).into(), self.due_after.into()];
        tx.execute(note, &row).await?;
        Ok(())
    }
}
