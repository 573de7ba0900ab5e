//! `GET /keys/backup`

use std::sync::Arc;

use assent_ids::UserId;
use assent_relay_api::{model::KeyBackup, operations::keys::GetBackup};
use assent_store::{StoreError, Tx, Work};
use zeroize::Zeroizing;

use crate::{
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
    storage::times::timestamp,
};

impl Serve for GetBackup {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let backup = relay.store.read(Find(call.caller.user()?)).await?;
        Ok(Answer::new(backup.ok_or_else(|| Refusal::not_found("backup"))?))
    }
}

struct Find(UserId);

const FIND: &str = "SELECT backup, updated_at FROM key_backups WHERE user_id = $1";

impl Work for Find {
    type Output = Option<KeyBackup>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, StoreError> {
        let Some(row) = tx.optional(FIND, &[self.0.to_string().into()]).await? else {
            return Ok(None);
        };
        let text = Zeroizing::new(row.get::<String>(0)?);
        // What its reader would say could repeat what is in it.
        let malformed = |_| StoreError::Refused("a backup is malformed".to_owned());
        let mut backup: KeyBackup = serde_json::from_str(&text).map_err(malformed)?;
        backup.updated_at = Some(timestamp(row.get(1)?));
        Ok(Some(backup))
    }
}
