//! `PATCH /h2a/relations/{relation_id}`

use std::sync::Arc;

use assent_ids::{Principal, RelationId, UserId};
use assent_protocol::{
    a2h::{ApiCode, CapabilityChanged, RelayEventType},
    wire::{Count, Object},
};
use assent_relay_api::{
    Operation,
    ledger::LedgerAction,
    model::{RelationGrant, RelationState},
    operations::relations::{ChangedGrants, UpdateRelation},
};
use assent_store::{StoreError, Tx, Work};

use crate::{
    agents,
    delivery::{
        events::{self, Content, count},
        outbox::Outbox,
    },
    http::{Answer, Call, Caller, Refusal, Serve},
    relations::{self, Consent, Declared, Found, agreed},
    state::Relay,
    storage::{columns::to_json, times::millis},
};

impl Serve for UpdateRelation {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let agree = Agree {
            user: call.caller.user()?,
            caller: call.caller,
            relation: call.path.relation_id,
            request: call.body,
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(agree).await?))
    }
}

struct Agree {
    user: UserId,
    caller: Caller,
    relation: RelationId,
    request: ChangedGrants,
    relay: Arc<Relay>,
}

const AGREE: &str = "UPDATE h2a_relations SET granted_scopes = $2, manifest_hash = $3,
        manifest_version = $4, told_version = $4, reauth_scopes = '[]', reauth_version = NULL,
        updated_at = $5
    WHERE relation_id = $1";

const NARROW: &str = "UPDATE h2a_relations SET granted_scopes = $2, updated_at = $3
    WHERE relation_id = $1";

impl Work for Agree {
    type Output = (RelationGrant, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let signed = &self.request.ledger_entry;
        let access = UpdateRelation::ACCESS;
        let before = relations::admit_alone(tx, access, &self.caller, self.relation).await?;
        let consent = self.consent(&before);
        consent.check_entry(&signed.entry)?;
        let head = relations::head(tx, self.relation).await?;
        if head.as_ref().is_some_and(|head| head.is(&signed.entry)) {
            return Ok((before.grant(), Outbox::default()));
        }
        if !before.is(RelationState::Active) {
            let text = format!("the relation is {}", before.relation.state);
            return Err(Refusal::new(ApiCode::RelationInactive, text));
        }
        let agent = before.relation.agent_id;
        let declared = Declared::by(tx, agent).await?.ok_or_else(agents::unknown)?;
        let is_narrower = self.is_narrower(&before);
        if !is_narrower {
            declared.check(&consent, &signed.entry)?;
        }
        let now = self.relay.now();
        relations::verify_next(tx, self.user, head.as_ref(), signed, now).await?;
        relations::append(tx, self.relation, head.as_ref(), signed, now).await?;
        if is_narrower {
            self.narrow(tx).await?;
        } else {
            self.store(tx).await?;
        }
        let after = relations::find(tx, self.relation).await?.ok_or_else(relations::unknown)?;
        let mut outbox = Outbox::default();
        let kind = RelayEventType::RelationUpdated;
        relations::tell(tx, &self.relay, kind, &after.relation, &mut outbox).await?;
        if before.relation.manifest_version < after.relation.manifest_version {
            self.tell_agent(tx, &before, &after, &declared, &mut outbox).await?;
        }
        Ok((after.grant(), outbox))
    }
}

impl Agree {
    fn consent(&self, found: &Found) -> Consent<'_> {
        Consent {
            user: self.user,
            agent: found.relation.agent_id,
            action: LedgerAction::Update,
            scopes: &self.request.granted_scopes,
            manifest_hash: &self.request.manifest_hash,
        }
    }

    /// Returns `true` if the person only takes scopes back, under the manifest that they have agreed to before. That is
    /// possible whatever the agent has published since, and agrees to none of it.
    fn is_narrower(&self, found: &Found) -> bool {
        let (entry, before) = (&self.request.ledger_entry.entry, &found.relation);
        let same_manifest = entry.manifest_hash == before.manifest_hash
            && entry.manifest_version == before.manifest_version;
        let is_granted = |scope| before.granted_scopes.contains(scope);
        same_manifest && entry.granted_scopes.iter().all(is_granted)
    }

    async fn narrow(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let scopes = to_json(&self.request.ledger_entry.entry.granted_scopes)?;
        let relation = self.relation.to_string();
        let row = [relation.into(), scopes.into(), millis(self.relay.now()).into()];
        tx.execute(NARROW, &row).await
    }

    async fn store(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let entry = &self.request.ledger_entry.entry;
        let row = [
            self.relation.to_string().into(),
            to_json(&entry.granted_scopes)?.into(),
            entry.manifest_hash.as_str().into(),
            count(entry.manifest_version).into(),
            millis(self.relay.now()).into(),
        ];
        tx.execute(AGREE, &row).await?;
        Ok(())
    }

    /// The agent learns what the person thinks of its new manifest.
    async fn tell_agent(
        &self,
        tx: &mut Tx,
        before: &Found,
        after: &Found,
        declared: &Declared,
        outbox: &mut Outbox,
    ) -> Result<(), StoreError> {
        let (was, is) = (&before.relation, &after.relation);
        let accepted =
            agreed(&before.asked, &was.granted_scopes, &is.granted_scopes, &declared.scopes);
        let notice = CapabilityChanged {
            agent_id: is.agent_id,
            manifest_version: Count(is.manifest_version),
            manifest_hash: is.manifest_hash.clone(),
            user_id: Some(is.user_id),
            accepted: Some(accepted),
            granted_scopes: Some(is.granted_scopes.clone()),
            extra: Object::new(),
        };
        let content = Content::notice(RelayEventType::CapabilityChanged, &notice)?;
        let agent = Principal::Agent(is.agent_id);
        events::append_one(tx, &self.relay.minter, agent, &content, outbox).await?;
        Ok(())
    }
}
