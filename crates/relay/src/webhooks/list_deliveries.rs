//! `GET /agents/{agent_id}/webhooks/deliveries`

use std::sync::Arc;

use assent_ids::{AgentId, DeliveryId};
use assent_protocol::a2h::Page;
use assent_relay_api::{
    Operation,
    model::{Delivery, DeliveryState},
    operations::webhooks::ListDeliveries,
};
use assent_store::{Tx, Work};

use super::stored::{LIST, delivery};
use crate::{
    agents,
    delivery::events::count,
    http::{Answer, Call, Caller, Refusal, Serve},
    state::Relay,
    storage::cursor,
};

impl Serve for ListDeliveries {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let before = call.query.cursor.map(|cursor| cursor.as_str().parse::<DeliveryId>());
        let list = List {
            caller: call.caller,
            agent: call.path.agent_id,
            state: call.query.state,
            before: before.transpose().map_err(|_| cursor::unknown())?,
            limit: count(call.query.limit.unwrap_or_default().get()),
        };
        Ok(Answer::new(relay.store.read(list).await?))
    }
}

struct List {
    caller: Caller,
    agent: AgentId,
    state: Option<DeliveryState>,
    before: Option<DeliveryId>,
    limit: i64,
}

impl Work for List {
    type Output = Page<Delivery>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        agents::admit(tx, ListDeliveries::ACCESS, &self.caller, self.agent).await?;
        let state = self.state.map_or("%", DeliveryState::as_str);
        // Behind every delivery there is.
        let before = self.before.map_or_else(|| "e".to_owned(), |before| before.to_string());
        let agent_id = self.agent.to_string();
        let values = [agent_id.into(), state.into(), before.into(), self.limit.into()];
        let rows = tx.all(LIST, &values).await?;
        let data = rows.iter().map(delivery).collect::<Result<Vec<_>, _>>()?;
        let is_full = i64::try_from(data.len()).unwrap_or(i64::MAX) >= self.limit;
        let last = data.last().map(|last| last.delivery_id.to_string());
        Ok(Page { next_cursor: last.filter(|_| is_full), data })
    }
}
