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

pub use create_relation::{CreateRelation, NewRelation};
pub use delete_relation::DeleteRelation;
pub use get_ledger::{GetLedger, LedgerQuery};
pub use get_relation::GetRelation;
pub use list_relations::{ListRelations, RelationsQuery};
pub use restore_relation::RestoreRelation;
pub use revoke_relation::{Revocation, RevokeRelation};
pub use suspend_relation::{SuspendRelation, Suspension};
pub use update_relation::{ChangedGrants, UpdateRelation};
