//! `PUT /keys/backup`

use std::sync::Arc;

use assent_ids::{UnixMillis, UserId};
use assent_protocol::a2h::ApiCode;
use assent_relay_api::operations::keys::PutBackup;
use assent_store::{Tx, Work};
use zeroize::Zeroizing;

use crate::{
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve},
    keys::public_keys::check_identity,
    state::Relay,
    storage::times::millis,
};

impl Serve for PutBackup {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let user_id = call.caller.user()?;
        let mut backup = call.body;
        check_identity(&backup.public_key, &backup.signing_public_key)?;
        // The relay sets the time, in a column of its own.
        backup.updated_at = None;
        let failed = |_| Refusal::new(ApiCode::InternalError, "the backup could not be written");
        let text = Zeroizing::new(serde_json::to_string(&backup).map_err(failed)?);
        let now = relay.now();
        relay.commit(Put { user_id, text, now }).await?;
        backup.updated_at = Some(now.into());
        Ok(Answer::new(backup))
    }
}

struct Put {
    user_id: UserId,
    text: Zeroizing<String>,
    now: UnixMillis,
}

const PUT: &str = "INSERT INTO key_backups (user_id, backup, updated_at) VALUES ($1, $2, $3)
    ON CONFLICT (user_id) DO UPDATE
    SET backup = excluded.backup, updated_at = excluded.updated_at";

impl Work for Put {
    type Output = ((), Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let row =
            [self.user_id.to_string().into(), self.text.as_str().into(), millis(self.now).into()];
        tx.execute(PUT, &row).await?;
        Ok(((), Outbox::default()))
    }
}
