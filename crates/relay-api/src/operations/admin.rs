//! What only operators do, on the local admin socket.

mod back_up;
mod list_all_agents;
mod restore_agent;
mod restore_any_relation;
mod rotate_signing_keys;
mod suspend_agent;
mod suspend_any_relation;

pub use back_up::{BackUp, BackupReport, BackupRequest};
pub use list_all_agents::{AllAgentsQuery, ListAllAgents, OperatedAgent};
pub use restore_agent::RestoreAgent;
pub use restore_any_relation::RestoreAnyRelation;
pub use rotate_signing_keys::{RotateSigningKeys, RotatedKeys};
pub use suspend_agent::SuspendAgent;
pub use suspend_any_relation::SuspendAnyRelation;
