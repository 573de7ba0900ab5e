//! Telling people of a manifest, with a handful of statements for hundreds of people.

use std::{collections::BTreeSet, sync::Arc};

use assent_ids::{AgentId, EventSeq, ManifestHash, ScopeId};
use assent_protocol::{
    a2h::{CapabilityChanged, ReauthRequired, RelayEventType},
    wire::{Count, Object},
};
use assent_store::{StoreError, Tx, Value};
use serde::Serialize;

use super::chunk::Range;
use crate::{
    delivery::outbox::{Outbox, Sent},
    state::Relay,
    storage::{
        columns::{json, to_json},
        stored_id::stored,
        times::millis,
    },
};

/// A manifest that was published.
pub(super) struct Published<'a> {
    agent: AgentId,
    version: i64,
    hash: &'a ManifestHash,
}

/// All people who have agreed to an older manifest have to agree again, also those whose relation is suspended:
/// they get the event when it is restored.
const ASK: &str = "UPDATE h2a_relations SET reauth_version = $4,
        told_version = CASE WHEN status = 'active' THEN $4 ELSE told_version END
    WHERE agent_id = $1 AND user_id > $2 AND user_id <= $3
        AND status <> 'revoked' AND manifest_version < $4 AND told_version < $4";
const MENTION: &str = "UPDATE h2a_relations SET told_version = $4
    WHERE agent_id = $1 AND user_id > $2 AND user_id <= $3
        AND status = 'active' AND manifest_version < $4 AND told_version < $4";
/// What people had to agree to before: a few different lists at most.
const ASKED_BEFORE: &str = "SELECT DISTINCT reauth_scopes FROM h2a_relations
    WHERE agent_id = $1 AND user_id > $2 AND user_id <= $3 AND reauth_version = $4";
const ADD: &str = "UPDATE h2a_relations SET reauth_scopes = $6
    WHERE agent_id = $1 AND user_id > $2 AND user_id <= $3 AND reauth_version = $4
        AND reauth_scopes = $5";
/// The rows marked above are locked by this transaction: every statement sees the same people.
const NUMBER: &str = "INSERT INTO recipients (party_id, last_event_id, updated_at)
    SELECT user_id, 1, $5 FROM h2a_relations
    WHERE agent_id = $1 AND user_id > $2 AND user_id <= $3
        AND status = 'active' AND manifest_version < $4 AND told_version = $4
    ORDER BY user_id
    ON CONFLICT (party_id) DO UPDATE
    SET last_event_id = recipients.last_event_id + 1, updated_at = excluded.updated_at";
const TELL_ALL: &str = "INSERT INTO events (party_id, event_id, type, data, created_at)
    SELECT r.user_id, p.last_event_id, $6, $7, $5
    FROM h2a_relations r JOIN recipients p ON p.party_id = r.user_id
    WHERE r.agent_id = $1 AND r.user_id > $2 AND r.user_id <= $3
        AND r.status = 'active' AND r.manifest_version < $4 AND r.told_version = $4
    RETURNING party_id, event_id";
const TELL_SOME: &str = "INSERT INTO events (party_id, event_id, type, data, created_at)
    SELECT r.user_id, p.last_event_id, $6, $7, $5
    FROM h2a_relations r JOIN recipients p ON p.party_id = r.user_id
    WHERE r.agent_id = $1 AND r.user_id > $2 AND r.user_id <= $3
        AND r.status = 'active' AND r.manifest_version < $4 AND r.told_version = $4
        AND r.reauth_scopes = $8
    RETURNING party_id, event_id";

impl<'a> Published<'a> {
    pub(super) const fn new(agent: AgentId, version: i64, hash: &'a ManifestHash) -> Self {
        Self { agent, version, hash }
    }

    /// Tells people that they have to agree again, and to what altogether.
    pub(super) async fn ask_again(
        &self,
        tx: &mut Tx,
        relay: &Relay,
        range: &Range<'_>,
        scopes: &[ScopeId],
        outbox: &mut Outbox,
    ) -> Result<(), StoreError> {
        if tx.change(ASK, &self.people(range)).await? == 0 {
            return Ok(());
        }
        let lists = self.add(tx, range, scopes).await?;
        let now = millis(relay.now());
        self.number(tx, range, now).await?;
        for list in lists {
            let scopes = to_json(&list)?;
            let notice = ReauthRequired {
                agent_id: self.agent,
                new_manifest_version: self.count(),
                new_manifest_hash: self.hash.clone(),
                scopes_requiring_reauth: list.into_iter().collect(),
                extra: Object::new(),
            };
            let content = Content::new(RelayEventType::ReauthRequired, &notice)?;
            let mut row = self.event(range, now, &content);
            row.push(scopes.into());
            content.tell(tx, TELL_SOME, &row, outbox).await?;
        }
        Ok(())
    }

    /// Tells people of a manifest that needs no answer.
    pub(super) async fn mention(
        &self,
        tx: &mut Tx,
        relay: &Relay,
        range: &Range<'_>,
        outbox: &mut Outbox,
    ) -> Result<(), StoreError> {
        if tx.change(MENTION, &self.people(range)).await? == 0 {
            return Ok(());
        }
        let now = millis(relay.now());
        self.number(tx, range, now).await?;
        let notice = CapabilityChanged {
            agent_id: self.agent,
            manifest_version: self.count(),
            manifest_hash: self.hash.clone(),
            user_id: None,
            accepted: None,
            granted_scopes: None,
            extra: Object::new(),
        };
        let content = Content::new(RelayEventType::CapabilityChanged, &notice)?;
        content.tell(tx, TELL_ALL, &self.event(range, now, &content), outbox).await
    }

    /// Adds `scopes` to what people have to agree to, and gives back all lists that came of it.
    async fn add(
        &self,
        tx: &mut Tx,
        range: &Range<'_>,
        scopes: &[ScopeId],
    ) -> Result<BTreeSet<BTreeSet<ScopeId>>, StoreError> {
        let mut lists = BTreeSet::new();
        for row in tx.all(ASKED_BEFORE, &self.people(range)).await? {
            let before = row.get::<String>(0)?;
            let mut list: BTreeSet<ScopeId> = json(&before)?;
            list.extend(scopes.iter().cloned());
            let mut row = self.people(range);
            row.extend([before.into(), to_json(&list)?.into()]);
            tx.execute(ADD, &row).await?;
            lists.insert(list);
        }
        Ok(lists)
    }

    async fn number(&self, tx: &mut Tx, range: &Range<'_>, now: i64) -> Result<(), StoreError> {
        let mut row = self.people(range);
        row.push(now.into());
        tx.execute(NUMBER, &row).await?;
        Ok(())
    }

    /// `$1` to `$4` of every statement here.
    fn people<'v>(&self, range: &Range<'v>) -> Vec<Value<'v>> {
        vec![range.agent_id.into(), range.after.into(), range.last.into(), self.version.into()]
    }

    /// `$1` to `$7` of the statements that tell.
    fn event<'v>(&self, range: &Range<'v>, now: i64, content: &'v Content) -> Vec<Value<'v>> {
        let mut row = self.people(range);
        row.extend([now.into(), content.kind.into(), (&*content.data).into()]);
        row
    }

    fn count(&self) -> Count {
        Count(u64::try_from(self.version).unwrap_or_default())
    }
}

/// What an event tells to many.
struct Content {
    kind: &'static str,
    data: Arc<str>,
}

impl Content {
    fn new(kind: RelayEventType, data: &impl Serialize) -> Result<Self, StoreError> {
        Ok(Self { kind: kind.as_str(), data: to_json(data)?.into() })
    }

    async fn tell(
        &self,
        tx: &mut Tx,
        statement: &'static str,
        row: &[Value<'_>],
        outbox: &mut Outbox,
    ) -> Result<(), StoreError> {
        for told in tx.all(statement, row).await? {
            outbox.events.push(Sent {
                party: stored(&told.get::<String>(0)?)?,
                event_id: EventSeq(told.get(1)?),
                kind: self.kind,
                data: Arc::clone(&self.data),
            });
        }
        Ok(())
    }
}
