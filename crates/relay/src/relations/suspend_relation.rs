//! `POST /h2a/relations/{relation_id}/suspend`

use std::sync::Arc;

use assent_relay_api::{Operation, operations::relations::SuspendRelation};

use crate::{
    http::{Answer, Call, Refusal, Serve},
    relations::{Authority, Suspend},
    state::Relay,
};

impl Serve for SuspendRelation {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let suspend = Suspend {
            relation: call.path.relation_id,
            authority: Authority::Owner(call.caller, Self::ACCESS),
            reason: call.body.reason,
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(suspend).await?))
    }
}
