//! `GET /h2a/events`

use std::sync::Arc;

use assent_relay_api::operations::events::ListEvents;

use crate::{
    operations::{Answer, Call, Serve},
    reading::{ReadEvents, page},
    refusal::Refusal,
    relay::Relay,
};

impl Serve for ListEvents {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let read = ReadEvents {
            party: call.caller.party()?,
            after: call.query.after.unwrap_or_default(),
            limit: call.query.limit.unwrap_or_default().get().try_into().unwrap_or(1),
        };
        let limit = read.limit;
        let events = relay.store.read(read).await?;
        Ok(Answer::new(page(&events, limit)?))
    }
}
