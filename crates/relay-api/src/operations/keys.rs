//! Public keys, prekeys and the sealed backup.

mod claim_prekeys;
mod get_agent_keys;
mod get_backup;
mod list_user_devices;
mod publish_prekeys;
mod put_backup;

pub use claim_prekeys::{ClaimPrekeys, PrekeyClaim};
pub use get_agent_keys::GetAgentKeys;
pub use get_backup::GetBackup;
pub use list_user_devices::{ListUserDevices, UserPath};
pub use publish_prekeys::{NewPrekeys, PublishPrekeys};
pub use put_backup::PutBackup;
