//! What operators do.

mod back_up;
mod list_all_agents;
mod operated_agent;
mod restore_agent;
mod rotate_signing_keys;
mod suspend_agent;

use crate::http::Routes;

/// Adds the operations of the admin socket.
pub(super) fn routes(routes: Routes) -> Routes {
    use assent_relay_api::operations::admin::{
        BackUp, ListAllAgents, RestoreAgent, RotateSigningKeys, SuspendAgent,
    };
    routes
        .serve::<ListAllAgents>()
        .serve::<SuspendAgent>()
        .serve::<RestoreAgent>()
        .serve::<RotateSigningKeys>()
        .serve::<BackUp>()
}
