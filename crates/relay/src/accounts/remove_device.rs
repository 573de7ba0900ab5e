//! `DELETE /devices/{device_id}`

use std::sync::Arc;

use assent_ids::{DeviceId, Principal, TokenFamilyId, UserId};
use assent_protocol::a2h::InvalidationReason;
use assent_relay_api::{model::Empty, operations::accounts::RemoveDevice};
use assent_store::{StoreError, Tx, Work};

use crate::{
    accounts::{
        devices,
        sessions::{self, Ended},
    },
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve},
    keys::prekeys,
    state::Relay,
    storage::{stored_id::stored, times::millis},
};

impl Serve for RemoveDevice {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let (user_id, family_id) = call.caller.login()?;
        let device_id = call.path.device_id;
        let remove = Remove { user_id, family_id, device_id, relay: Arc::clone(relay) };
        relay.commit(remove).await?;
        Ok(Answer::new(Empty {}))
    }
}

struct Remove {
    user_id: UserId,
    /// The login that removes it.
    family_id: TokenFamilyId,
    device_id: DeviceId,
    relay: Arc<Relay>,
}

const FIND: &str = "SELECT family_id, removed_at FROM devices
    WHERE device_id = $1 AND user_id = $2";
const REMOVE: &str = "UPDATE devices SET removed_at = $2 WHERE device_id = $1";
/// Nothing is kept for a device that is gone.
const FORGET_ACKS: &str = "DELETE FROM event_acks WHERE party_id = $1 AND device_id = $2";
const OTHERS_OF_LOGIN: &str = "SELECT count(*) FROM devices
    WHERE user_id = $1 AND family_id = $2 AND removed_at IS NULL";

impl Work for Remove {
    type Output = ((), Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let mut outbox = Outbox::default();
        devices::lock(tx, self.user_id).await?;
        let (device, user) = (self.device_id.to_string(), self.user_id.to_string());
        let found = tx.optional(FIND, &[(&device).into(), (&user).into()]).await?;
        let row = found.ok_or_else(|| Refusal::not_found("device"))?;
        if row.get::<Option<i64>>(1)?.is_some() {
            return Ok(((), outbox));
        }
        tx.execute(REMOVE, &[(&device).into(), millis(self.relay.now()).into()]).await?;
        tx.execute(FORGET_ACKS, &[user.into(), (&device).into()]).await?;
        let login = stored(&row.get::<String>(0)?)?;
        let login = self.end_login(tx, login, &mut outbox).await?.then_some(login);
        prekeys::forget(tx, &device).await?;
        outbox.removed.push((Principal::User(self.user_id), self.device_id));
        let ended = Ended { login, device: Some(self.device_id) };
        let reason = InvalidationReason::DeviceRemoved;
        let minter = &self.relay.minter;
        sessions::tell(tx, minter, self.user_id, reason, ended, &mut outbox).await?;
        Ok(((), outbox))
    }
}

impl Remove {
    /// Ends the login of the device, which may be in other hands. The login that removes it goes on, and so does
    /// one that serves another device.
    async fn end_login(
        &self,
        tx: &mut Tx,
        login: TokenFamilyId,
        outbox: &mut Outbox,
    ) -> Result<bool, StoreError> {
        let key = [self.user_id.to_string().into(), login.to_string().into()];
        if login == self.family_id || tx.scalar::<i64>(OTHERS_OF_LOGIN, &key).await? > 0 {
            return Ok(false);
        }
        tx.lock(&login.to_string()).await?;
        sessions::end(tx, self.user_id, login, self.relay.now(), outbox).await
    }
}
