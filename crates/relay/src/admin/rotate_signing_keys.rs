//! `POST /admin/signing-keys/rotate`

use std::sync::Arc;

use assent_relay_api::operations::admin::{RotateSigningKeys, RotatedKeys};

use crate::{
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for RotateSigningKeys {
    async fn serve(relay: &Arc<Relay>, _: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let rotated = relay.rotate_signing_keys().await?;
        tracing::info!(key_id = rotated.key_id, "access tokens are signed with a new key");
        Ok(Answer::new(RotatedKeys {
            key_id: rotated.key_id,
            previous_valid_until: rotated.previous_valid_until.into(),
        }))
    }
}
