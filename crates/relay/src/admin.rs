//! Operations of the admin socket.

mod back_up;
mod list_all_agents;
mod operated_agent;
mod restore_agent;
mod restore_any_relation;
mod rotate_signing_keys;
mod suspend_agent;
mod suspend_any_relation;

use crate::http::Routes;

/// Adds the operations of the admin socket.
pub(crate) fn routes(routes: Routes) -> Routes {
    use assent_relay_api::operations::admin::{
        BackUp, ListAllAgents, RestoreAgent, RestoreAnyRelation, RotateSigningKeys, SuspendAgent,
        SuspendAnyRelation,
    };
    routes
        .serve::<ListAllAgents>()
        .serve::<SuspendAgent>()
        .serve::<RestoreAgent>()
        .serve::<SuspendAnyRelation>()
        .serve::<RestoreAnyRelation>()
        .serve::<RotateSigningKeys>()
        .serve::<BackUp>()
}
