//! `GET /devices`

use std::sync::Arc;

use assent_ids::UserId;
use assent_protocol::a2h::Page;
use assent_relay_api::{model::Device, operations::accounts::ListDevices};
use assent_store::{StoreError, Tx, Work};

use crate::{
    accounts::devices,
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for ListDevices {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let data = relay.store.read(List(call.caller.user()?)).await?;
        Ok(Answer::new(Page { data, next_cursor: None }))
    }
}

struct List(UserId);

impl Work for List {
    type Output = Vec<Device>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<Device>, StoreError> {
        devices::present(tx, self.0).await
    }
}
