//! `DELETE /h2a/relations/{relation_id}`

use std::sync::Arc;

use assent_relay_api::{Operation, operations::relations::DeleteRelation};

use super::revoke_relation::Revoke;
use crate::{
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for DeleteRelation {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let revoke = Revoke {
            user: call.caller.user()?,
            caller: call.caller,
            access: Self::ACCESS,
            relation: call.path.relation_id,
            signed: call.body.ledger_entry,
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(revoke).await?))
    }
}
