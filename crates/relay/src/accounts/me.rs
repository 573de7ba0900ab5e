//! `GET /auth/me`

use std::sync::Arc;

use assent_ids::UserId;
use assent_relay_api::{model::Account, operations::accounts::Me};
use assent_store::{Tx, Work};

use crate::{
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
    storage::times::timestamp,
};

impl Serve for Me {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let account = relay.store.read(Find(call.caller.user()?)).await?;
        Ok(Answer::new(account))
    }
}

struct Find(UserId);

const FIND: &str = "SELECT email, display_name, locale, created_at FROM users WHERE user_id = $1";

impl Work for Find {
    type Output = Account;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Account, Refusal> {
        let row = tx.one(FIND, &[self.0.to_string().into()]).await?;
        Ok(Account {
            user_id: self.0,
            email: row.get(0)?,
            display_name: row.get(1)?,
            device_locale: row.get(2)?,
            created_at: timestamp(row.get(3)?),
        })
    }
}
