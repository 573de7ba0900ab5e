//! `GET /health`

use std::sync::Arc;

use assent_relay_api::operations::observability::{Health, HealthStatus};

use crate::{
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for Health {
    async fn serve(_: &Arc<Relay>, _: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Answer::new(HealthStatus { status: "ok".to_owned(), version }))
    }
}
