//! What people grant to agents: relations, the ledger behind them, and the events about both.

mod consent;
mod create_relation;
mod delete_relation;
mod get_ledger;
mod get_relation;
mod ledger;
mod list_relations;
mod restore_relation;
mod revoke_relation;
mod stored;
mod suspend_relation;
mod suspension;
mod tell;
mod update_relation;

use assent_ids::RelationId;
use assent_relay_api::{
    Access, Caller as Role,
    ledger::RelationKey,
    operations::relations::{
        CreateRelation, DeleteRelation, GetLedger, GetRelation, ListRelations, RestoreRelation,
        RevokeRelation, SuspendRelation, UpdateRelation,
    },
};
use assent_store::{StoreError, Tx};

pub(crate) use self::{
    consent::{Consent, Declared, agreed},
    ledger::{append, head, invalid as invalid_entry, records, verify_next},
    stored::{Found, Whose, between, find, list, untold},
    suspension::{Authority, Restore, Suspend},
    tell::{notice, tell, tell_reauth},
};
use crate::http::{Caller, Refusal, Routes, authorization::authorize};

/// Adds the operations on relations.
pub(crate) fn routes(routes: Routes) -> Routes {
    routes
        .serve::<CreateRelation>()
        .serve::<ListRelations>()
        .serve::<GetRelation>()
        .serve::<UpdateRelation>()
        .serve::<RevokeRelation>()
        .serve::<DeleteRelation>()
        .serve::<SuspendRelation>()
        .serve::<RestoreRelation>()
        .serve::<GetLedger>()
}

/// A relation that `caller` is enough to for an operation with this access.
pub(crate) async fn admit(
    tx: &mut Tx,
    access: Access,
    caller: &Caller,
    relation: RelationId,
) -> Result<Found, Refusal> {
    let found = find(tx, relation).await?.ok_or_else(unknown)?;
    authorize(access, &roles(caller, &found), "relation")?;
    Ok(found)
}

/// The same, and locks the relation until the transaction ends.
pub(crate) async fn admit_alone(
    tx: &mut Tx,
    access: Access,
    caller: &Caller,
    relation: RelationId,
) -> Result<Found, Refusal> {
    let found = admit(tx, access, caller, relation).await?;
    lock(tx, found.key()).await?;
    find(tx, relation).await?.ok_or_else(unknown)
}

/// Locks the relation of a person and an agent until the transaction ends.
pub(crate) async fn lock(tx: &mut Tx, key: RelationKey) -> Result<(), StoreError> {
    tx.lock(&key.to_string()).await
}

/// The roles of a caller in a relation. A person who tries their own agent is both sides at once.
fn roles(caller: &Caller, found: &Found) -> Vec<Role> {
    let relation = &found.relation;
    match caller {
        Caller::Anonymous => vec![Role::Anonymous],
        Caller::Operator => vec![Role::Operator],
        Caller::User { user_id, .. } => {
            let person = (*user_id == relation.user_id).then_some(Role::Person);
            let owner = (*user_id == found.owner).then_some(Role::Owner);
            let roles: Vec<Role> = person.into_iter().chain(owner).collect();
            if roles.is_empty() { vec![Role::Stranger] } else { roles }
        }
        Caller::Agent { agent_id, .. } if *agent_id != relation.agent_id => vec![Role::OtherAgent],
        Caller::Agent { may_write_manifest: true, .. } => vec![Role::AgentWithManifestWrite],
        Caller::Agent { .. } => vec![Role::Agent],
    }
}

pub(crate) fn unknown() -> Refusal {
    Refusal::not_found("relation")
}
