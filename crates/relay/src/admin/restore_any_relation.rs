//! `POST /admin/relations/{relation_id}/restore`

use std::sync::Arc;

use assent_relay_api::operations::admin::RestoreAnyRelation;

use crate::{
    http::{Answer, Call, Refusal, Serve},
    relations::{Authority, Restore},
    state::Relay,
};

impl Serve for RestoreAnyRelation {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let restore = Restore {
            relation: call.path.relation_id,
            authority: Authority::Operator,
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(restore).await?))
    }
}
