//! `GET /h2a/relations/{relation_id}`

use std::sync::Arc;

use assent_ids::RelationId;
use assent_relay_api::{Operation, model::Relation, operations::relations::GetRelation};
use assent_store::{Tx, Work};

use crate::{
    http::{Answer, Call, Caller, Refusal, Serve},
    relations,
    state::Relay,
};

impl Serve for GetRelation {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let get = Get { caller: call.caller, relation: call.path.relation_id };
        Ok(Answer::new(relay.store.read(get).await?))
    }
}

struct Get {
    caller: Caller,
    relation: RelationId,
}

impl Work for Get {
    type Output = Relation;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Relation, Refusal> {
        let access = GetRelation::ACCESS;
        Ok(relations::admit(tx, access, &self.caller, self.relation).await?.relation)
    }
}
