//! `GET /health`

use std::sync::Arc;

use assent_relay_api::operations::observability::{Health, HealthStatus};

use crate::{
    operations::{Answer, Call, Serve},
    refusal::Refusal,
    relay::Relay,
};

impl Serve for Health {
    async fn serve(_: &Arc<Relay>, _: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Answer::new(HealthStatus { status: "ok".to_owned(), version }))
    }
}
