//! What people grant.

mod create_relation;
mod delete_relation;
mod get_ledger;
mod get_relation;
mod list_relations;
mod restore_relation;
mod revoke_relation;
mod suspend_relation;
mod update_relation;

use crate::http::Routes;

/// Adds the operations on relations.
pub(super) fn routes(routes: Routes) -> Routes {
    use assent_relay_api::operations::relations::{
        CreateRelation, DeleteRelation, GetLedger, GetRelation, ListRelations, RestoreRelation,
        RevokeRelation, SuspendRelation, UpdateRelation,
    };
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
