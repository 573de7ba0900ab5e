//! Devices of people.

use assent_ids::{DeviceId, UnixMillis, UserId};
use assent_relay_api::{model::Device, value::PublicKey};
use assent_store::{Row, StoreError, Tx, Work};

use crate::storage::{
    stored_id::stored as parsed,
    times::{millis, timestamp},
};

/// The devices of a person that are not removed, in the order of the columns that [`stored`] reads.
const PRESENT: &str = "SELECT device_id, name, public_key, signing_public_key, created_at,
        last_seen_at
    FROM devices WHERE user_id = $1 AND removed_at IS NULL ORDER BY created_at, device_id";
const SIGNING_KEY: &str = "SELECT signing_public_key FROM devices
    WHERE device_id = $1 AND user_id = $2 AND removed_at IS NULL";

const SEEN: &str = "UPDATE devices SET last_seen_at = $3
    WHERE device_id = $1 AND user_id = $2 AND removed_at IS NULL";

/// Makes others who change the devices of a person wait for this transaction.
pub(crate) async fn lock(tx: &mut Tx, user_id: UserId) -> Result<(), StoreError> {
    tx.lock(&format!("devices:{user_id}")).await
}

/// The devices of a person, the first one first. There are few.
pub(crate) async fn present(tx: &mut Tx, user_id: UserId) -> Result<Vec<Device>, StoreError> {
    let rows = tx.all(PRESENT, &[user_id.to_string().into()]).await?;
    rows.into_iter().map(|row| stored(&row)).collect()
}

fn stored(row: &Row) -> Result<Device, StoreError> {
    Ok(Device {
        device_id: parsed(&row.get::<String>(0)?)?,
        name: row.get(1)?,
        public_key: parsed(&row.get::<String>(2)?)?,
        signing_public_key: parsed(&row.get::<String>(3)?)?,
        created_at: timestamp(row.get(4)?),
        last_seen_at: row.get::<Option<i64>>(5)?.map(timestamp),
    })
}

/// What a device signs with, if it is this person's and was not removed.
pub(crate) async fn signing_key(
    tx: &mut Tx,
    user_id: UserId,
    device_id: DeviceId,
) -> Result<Option<PublicKey>, StoreError> {
    let key = [device_id.to_string().into(), user_id.to_string().into()];
    let Some(row) = tx.optional(SIGNING_KEY, &key).await? else { return Ok(None) };
    parsed(&row.get::<String>(0)?).map(Some)
}

/// A device connects; false if it is not this person's, or was removed.
pub(crate) struct Connected {
    pub(crate) user_id: UserId,
    pub(crate) device_id: DeviceId,
    pub(crate) now: UnixMillis,
}

impl Work for Connected {
    type Output = bool;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<bool, StoreError> {
        let (device, user) = (self.device_id.to_string(), self.user_id.to_string());
        let seen = [device.into(), user.into(), millis(self.now).into()];
        Ok(tx.change(SEEN, &seen).await? > 0)
    }
}
