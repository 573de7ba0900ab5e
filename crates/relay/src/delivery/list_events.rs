//! `GET /h2a/events`

use std::sync::Arc;

use assent_relay_api::operations::delivery::ListEvents;

use crate::{
    delivery::reading::{ReadEvents, ReadPage, portion},
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for ListEvents {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let read = ReadEvents {
            party: call.caller.party()?,
            after: call.query.after.unwrap_or_default(),
            portion: portion(call.query.limit.unwrap_or_default()),
        };
        Ok(Answer::new(relay.store.read(ReadPage(read)).await?))
    }
}
