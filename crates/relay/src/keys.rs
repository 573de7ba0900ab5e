//! Public keys, prekeys and the sealed backup.

pub(crate) mod agent_keys;
mod claim_prekeys;
mod get_agent_keys;
mod get_backup;
mod list_user_devices;
pub(crate) mod prekeys;
pub(crate) mod public_keys;
mod publish_prekeys;
mod put_backup;

use std::time::Duration;

use crate::http::{Routes, rate_limits::Limit};

/// Adds the operations on keys.
pub(crate) fn routes(routes: Routes) -> Routes {
    use assent_relay_api::operations::keys::{
        ClaimPrekeys, GetAgentKeys, GetBackup, ListUserDevices, PublishPrekeys, PutBackup,
    };
    let routes = routes.serve::<PublishPrekeys>().serve::<ClaimPrekeys>();
    let routes = routes.serve::<ListUserDevices>().serve::<GetAgentKeys>();
    routes.serve::<PutBackup>().serve::<GetBackup>()
}

const fn per_minute(uses: usize) -> Limit {
    Limit { uses, window: Duration::from_secs(60) }
}
