//! `POST /h2a/relations/{relation_id}/revoke`

use std::sync::Arc;

use assent_ids::{RelationId, UserId};
use assent_protocol::a2h::RelayEventType;
use assent_relay_api::{
    Access, Operation,
    ledger::{LedgerAction, SignedEntry},
    model::Relation,
    operations::relations::RevokeRelation,
};
use assent_store::{Tx, Work};

use crate::{
    conversations,
    delivery::outbox::Outbox,
    http::{Answer, Call, Caller, Refusal, Serve},
    manifests,
    relations::{self, Consent},
    state::Relay,
    storage::times::millis,
};

impl Serve for RevokeRelation {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let revoke = Revoke {
            user: call.caller.user()?,
            caller: call.caller,
            access: Self::ACCESS,
            relation: call.path.relation_id,
            signed: call.body.ledger_entry,
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(revoke).await?))
    }
}

/// Ends a relation, whatever its state: a person can always take everything back.
pub(super) struct Revoke {
    pub(super) user: UserId,
    pub(super) caller: Caller,
    pub(super) access: Access,
    pub(super) relation: RelationId,
    pub(super) signed: SignedEntry,
    pub(super) relay: Arc<Relay>,
}

const REVOKE: &str = "UPDATE h2a_relations SET status = 'revoked', granted_scopes = '[]',
        reauth_scopes = '[]', reauth_version = NULL, suspended_by = NULL, suspended_reason = NULL,
        updated_at = $2
    WHERE relation_id = $1";

impl Work for Revoke {
    type Output = (Relation, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let mut outbox = Outbox::default();
        let before = relations::admit_alone(tx, self.access, &self.caller, self.relation).await?;
        let entry = &self.signed.entry;
        let consent = Consent {
            user: self.user,
            agent: before.relation.agent_id,
            action: LedgerAction::Revoke,
            scopes: &[],
            // Any manifest that the agent has had will do: revoking does not require reading a new one.
            manifest_hash: &entry.manifest_hash,
        };
        consent.check_entry(entry)?;
        let head = relations::head(tx, self.relation).await?;
        if head.as_ref().is_some_and(|head| head.is(entry)) {
            return Ok((before.relation, outbox));
        }
        let past = manifests::past(tx, consent.agent, entry.manifest_version).await?;
        if past.is_none_or(|past| past.hash != entry.manifest_hash) {
            let why = "the agent has had no manifest with this version and hash";
            return Err(relations::invalid_entry("/entry/manifest_hash", why));
        }
        let now = self.relay.now();
        relations::verify_next(tx, self.user, head.as_ref(), &self.signed, now).await?;
        relations::append(tx, self.relation, head.as_ref(), &self.signed, now).await?;
        tx.execute(REVOKE, &[self.relation.to_string().into(), millis(now).into()]).await?;
        conversations::leave_groups(tx, &before.relation, now).await?;
        let after = relations::find(tx, self.relation).await?.ok_or_else(relations::unknown)?;
        let kind = RelayEventType::RelationRevoked;
        relations::tell(tx, &self.relay, kind, &after.relation, &mut outbox).await?;
        Ok((after.relation, outbox))
    }
}
