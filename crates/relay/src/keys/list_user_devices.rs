//! `GET /keys/users/{user_id}/devices`

use std::sync::Arc;

use assent_ids::{Principal, UserId};
use assent_protocol::a2h::Page;
use assent_relay_api::{model::DeviceKeys, operations::keys::ListUserDevices};
use assent_store::{Tx, Work};

use super::per_minute;
use crate::{
    accounts::devices,
    http::{Answer, Call, Refusal, Serve, rate_limits},
    keys::prekeys,
    state::Relay,
};

impl Serve for ListUserDevices {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let list = List {
            reader: call.caller.party()?,
            user_id: call.path.user_id,
            relay: Arc::clone(relay),
        };
        // A write, because it is counted; also if there is no such person.
        let keys = relay.store.write(list).await?;
        let data = keys.ok_or_else(|| Refusal::not_found("person"))?;
        Ok(Answer::new(Page { data, next_cursor: None }))
    }
}

struct List {
    reader: Principal,
    user_id: UserId,
    relay: Arc<Relay>,
}

const EXISTS: &str = "SELECT count(*) FROM users WHERE user_id = $1";

impl Work for List {
    type Output = Option<Vec<DeviceKeys>>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let limit = per_minute(self.relay.settings.limits.key_requests_per_minute);
        let name = format!("key_lookups:{}", self.reader);
        rate_limits::take(tx, &name, limit, self.relay.now()).await?;
        if tx.scalar::<i64>(EXISTS, &[self.user_id.to_string().into()]).await? == 0 {
            return Ok(None);
        }
        let mut keys = Vec::new();
        for device in devices::present(tx, self.user_id).await? {
            keys.push(DeviceKeys {
                kem_prekey: prekeys::current_kem(tx, &device.device_id.to_string()).await?,
                device_id: device.device_id,
                public_key: device.public_key,
                signing_public_key: device.signing_public_key,
                created_at: device.created_at,
            });
        }
        Ok(Some(keys))
    }
}
