//! `POST /h2a/relations`

use std::sync::Arc;

use assent_ids::{ConversationId, Principal, RelationId, UserId};
use assent_protocol::a2h::{ApiCode, ApiError, RelayEventType};
use assent_relay_api::{
    ledger::{LedgerAction, RelationKey},
    model::{ConversationKind, RelationGrant, RelationState},
    operations::relations::{CreateRelation, NewRelation},
};
use assent_store::{StoreError, Tx, Work};

use crate::{
    agents,
    conversations::{self, Founded},
    delivery::{events::count, outbox::Outbox},
    http::{Answer, Call, Outcome, Refusal, Serve},
    relations::{self, Consent, Declared, Found},
    state::Relay,
    storage::{columns::to_json, times::millis},
};

impl Serve for CreateRelation {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let establish = Establish {
            user: call.caller.user()?,
            request: call.body,
            relation_id: relay.minter.mint(),
            conversation_id: relay.minter.mint(),
            relay: Arc::clone(relay),
        };
        let (grant, outcome) = relay.commit(establish).await?;
        Ok(Answer::of(grant, outcome))
    }
}

struct Establish {
    user: UserId,
    request: NewRelation,
    relation_id: RelationId,
    conversation_id: ConversationId,
    relay: Arc<Relay>,
}

const NEW: &str = "INSERT INTO h2a_relations (relation_id, user_id, agent_id, conversation_id,
        status, granted_scopes, manifest_hash, manifest_version, told_version,
        created_at, updated_at)
    VALUES ($1, $2, $3, $4, 'active', $5, $6, $7, $7, $8, $8)";
const AGAIN: &str = "UPDATE h2a_relations SET status = 'active', granted_scopes = $2,
        manifest_hash = $3, manifest_version = $4, told_version = $4,
        reauth_scopes = '[]', reauth_version = NULL, updated_at = $5
    WHERE relation_id = $1";

impl Work for Establish {
    type Output = ((RelationGrant, Outcome), Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let (agent, signed) = (self.request.agent_id, &self.request.ledger_entry);
        let consent = self.consent();
        consent.check_entry(&signed.entry)?;
        relations::lock(tx, RelationKey { user_id: self.user, agent_id: agent }).await?;
        let earlier = relations::between(tx, self.user, agent).await?;
        let head = match &earlier {
            Some(found) => relations::head(tx, found.relation.relation_id).await?,
            None => None,
        };
        if let Some(found) = &earlier {
            if head.as_ref().is_some_and(|head| head.is(&signed.entry)) {
                return Ok(((found.grant(), Outcome::StoredBefore), Outbox::default()));
            }
            refuse_living(found)?;
        }
        let declared = Declared::by(tx, agent).await?.ok_or_else(agents::unknown)?;
        refuse_suspended(&declared)?;
        declared.check(&consent, &signed.entry)?;
        let now = self.relay.now();
        relations::verify_next(tx, self.user, head.as_ref(), signed, now).await?;
        let relation_id = self.store(tx, earlier.as_ref()).await?;
        relations::append(tx, relation_id, head.as_ref(), signed, now).await?;
        let found = relations::find(tx, relation_id).await?.ok_or_else(relations::unknown)?;
        let mut outbox = Outbox::default();
        let kind = RelayEventType::RelationEstablished;
        relations::tell(tx, &self.relay, kind, &found.relation, &mut outbox).await?;
        Ok(((found.grant(), Outcome::Stored), outbox))
    }
}

impl Establish {
    fn consent(&self) -> Consent<'_> {
        Consent {
            user: self.user,
            agent: self.request.agent_id,
            action: LedgerAction::Grant,
            scopes: &self.request.granted_scopes,
            manifest_hash: &self.request.manifest_hash,
        }
    }

    /// The two keep their relation and their conversation, however often they part.
    async fn store(&self, tx: &mut Tx, earlier: Option<&Found>) -> Result<RelationId, Refusal> {
        let entry = &self.request.ledger_entry.entry;
        let scopes = to_json(&entry.granted_scopes)?;
        let (hash, version) = (entry.manifest_hash.as_str(), count(entry.manifest_version));
        let now = millis(self.relay.now());
        if let Some(found) = earlier {
            let relation_id = found.relation.relation_id;
            let key = relation_id.to_string();
            let row = [key.into(), scopes.into(), hash.into(), version.into(), now.into()];
            tx.execute(AGAIN, &row).await?;
            return Ok(relation_id);
        }
        self.begin_conversation(tx).await?;
        let row = [
            self.relation_id.to_string().into(),
            self.user.to_string().into(),
            self.request.agent_id.to_string().into(),
            self.conversation_id.to_string().into(),
            scopes.into(),
            hash.into(),
            version.into(),
            now.into(),
        ];
        tx.execute(NEW, &row).await?;
        Ok(self.relation_id)
    }

    async fn begin_conversation(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let (conversation_id, founder) = (self.conversation_id, self.user);
        let now = self.relay.now();
        let kind = ConversationKind::Private;
        conversations::found(tx, Founded { conversation_id, kind, founder, now }).await?;
        let agent = Principal::Agent(self.request.agent_id);
        conversations::add_member(tx, conversation_id, agent, Some(founder), now).await
    }
}

fn refuse_living(found: &Found) -> Result<(), Refusal> {
    if found.is(RelationState::Revoked) {
        return Ok(());
    }
    let text = "there is a relation with this agent already; change that one";
    let error = ApiError::new(ApiCode::Conflict, text);
    Err(error.with("relation_id", found.relation.relation_id.to_string()).into())
}

fn refuse_suspended(declared: &Declared) -> Result<(), Refusal> {
    if declared.suspended {
        let text = "this agent was suspended by the operator of the relay; no one new can add it";
        return Err(Refusal::new(ApiCode::Conflict, text));
    }
    Ok(())
}
