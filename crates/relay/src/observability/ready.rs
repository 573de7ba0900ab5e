//! `GET /ready`

use std::sync::Arc;

use assent_relay_api::operations::observability::{Ready, ReadyStatus};

use crate::{
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for Ready {
    async fn serve(relay: &Arc<Relay>, _: Call<Self>) -> Result<Answer<Self>, Refusal> {
        relay.prove_ready().await?;
        Ok(Answer::new(ReadyStatus { status: "ready".to_owned() }))
    }
}
