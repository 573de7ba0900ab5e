//! Events for both sides of a relation.

use assent_ids::Principal;
use std::collections::BTreeSet;

use assent_protocol::{
    a2h::{ReauthRequired, RelationNotice, RelayEventType},
    wire::{Count, Object},
};
use assent_relay_api::model::Relation;
use assent_store::{StoreError, Tx};

use super::Found;
use crate::{
    delivery::{
        events::{self, Content},
        outbox::Outbox,
    },
    state::Relay,
};

/// What a relation is like now.
pub(crate) fn notice(relation: &Relation, reason: Option<String>) -> RelationNotice {
    RelationNotice {
        relation_id: relation.relation_id,
        user_id: relation.user_id,
        agent_id: relation.agent_id,
        granted_scopes: relation.granted_scopes.clone(),
        conversation_id: Some(relation.conversation_id),
        manifest_hash: Some(relation.manifest_hash.clone()),
        manifest_version: Some(Count(relation.manifest_version)),
        reason,
        extra: Object::new(),
    }
}

/// Tells both sides what their relation is like now.
pub(crate) async fn tell(
    tx: &mut Tx,
    relay: &Relay,
    kind: RelayEventType,
    relation: &Relation,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let content = Content::notice(kind, &notice(relation, relation.suspended_reason.clone()))?;
    let sides = [Principal::User(relation.user_id), Principal::Agent(relation.agent_id)];
    events::append(tx, &relay.minter, &BTreeSet::from(sides), &content, outbox).await
}

const TOLD: &str = "UPDATE h2a_relations SET told_version = $2 WHERE relation_id = $1";
const HASH: &str = "SELECT hash FROM agent_manifests WHERE agent_id = $1 AND version = $2";

/// Asks a person to agree again, if the relation was suspended when that became necessary.
pub(crate) async fn tell_reauth(
    tx: &mut Tx,
    relay: &Relay,
    found: &Found,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let Some(version) = found.reauth_version.filter(|version| *version > found.told_version) else {
        return Ok(());
    };
    let relation = &found.relation;
    let hash: String =
        tx.scalar(HASH, &[relation.agent_id.to_string().into(), version.into()]).await?;
    let notice = ReauthRequired {
        agent_id: relation.agent_id,
        new_manifest_version: Count(u64::try_from(version).unwrap_or_default()),
        new_manifest_hash: crate::storage::stored_id::stored(&hash)?,
        scopes_requiring_reauth: found.asked.clone(),
        extra: Object::new(),
    };
    let content = Content::notice(RelayEventType::ReauthRequired, &notice)?;
    let person = Principal::User(relation.user_id);
    events::append_one(tx, &relay.minter, person, &content, outbox).await?;
    tx.execute(TOLD, &[relation.relation_id.to_string().into(), version.into()]).await?;
    Ok(())
}
