//! `POST /h2a/relations/{relation_id}/restore`

use std::sync::Arc;

use assent_relay_api::{Operation, operations::relations::RestoreRelation};

use crate::{
    http::{Answer, Call, Refusal, Serve},
    relations::{Authority, Restore},
    state::Relay,
};

impl Serve for RestoreRelation {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let restore = Restore {
            relation: call.path.relation_id,
            authority: Authority::Owner(call.caller, Self::ACCESS),
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(restore).await?))
    }
}
