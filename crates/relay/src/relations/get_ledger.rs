//! `GET /h2a/relations/{relation_id}/ledger`

use std::sync::Arc;

use assent_ids::RelationId;
use assent_protocol::a2h::Page;
use assent_relay_api::{Operation, ledger::LedgerRecord, operations::relations::GetLedger};
use assent_store::{Tx, Work};

use crate::{
    delivery::events::count,
    http::{Answer, Call, Caller, Refusal, Serve},
    relations,
    state::Relay,
    storage::pages,
};

impl Serve for GetLedger {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let limit = call.query.limit.unwrap_or_default();
        let read = Read {
            caller: call.caller,
            relation: call.path.relation_id,
            after: pages::number(call.query.cursor.as_ref())?.unwrap_or_default(),
            limit: count(limit.get()).saturating_add(1),
        };
        let records = relay.store.read(read).await?;
        let (records, last) = pages::cut(records, limit, |(position, _)| position.to_string());
        let data = records.into_iter().map(|(_, record)| record).collect();
        Ok(Answer::new(Page { data, next_cursor: last }))
    }
}

struct Read {
    caller: Caller,
    relation: RelationId,
    after: i64,
    limit: i64,
}

impl Work for Read {
    type Output = Vec<(i64, LedgerRecord)>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        relations::admit(tx, GetLedger::ACCESS, &self.caller, self.relation).await?;
        Ok(relations::records(tx, self.relation, self.after, self.limit).await?)
    }
}
