//! `GET /agents/{agent_id}/messages/poll`

use assent_ids::Principal;
use std::{sync::Arc, time::Duration};

use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::operations::conversations::PollMessages;
use tokio::time::{Instant, timeout_at};

use crate::{
    delivery::{
        hub::Way,
        reading::{ReadEvents, ReadPage, portion},
        socket::WriteAck,
    },
    http::{Answer, Call, Refusal, Serve, admit_again},
    state::Relay,
};

/// A node that did not hear of an event finds it by looking, at the latest after this.
const LOOK: Duration = Duration::from_secs(2);

impl Serve for PollMessages {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let agent = call.caller.agent()?;
        if agent != call.path.agent_id {
            return Err(Refusal::forbidden("an agent polls for itself"));
        }
        let party = Principal::Agent(agent);
        let after = call.query.after.unwrap_or_default();
        let portion = portion(call.query.limit.unwrap_or_default());
        if after.0 > 0 {
            relay.store.write(WriteAck::new(relay, party, None, after)).await?;
        }
        let read = || ReadPage(ReadEvents { party, after, portion });
        let wait = Duration::from_secs(call.query.wait_s.unwrap_or_default().get());
        if wait.is_zero() {
            return Ok(Answer::new(relay.store.read(read()).await?));
        }
        let end = Instant::now() + wait;
        // Known to the hub before the store is asked: whatever is stored from here on arrives.
        let room = relay.settings.limits.polls_per_agent;
        let connected = relay.hub.connect(party, Way::LongPoll, room).ok_or_else(too_many)?;
        let mut has_waited = false;
        loop {
            let page = relay.store.read(read()).await?;
            if has_waited {
                // Asked after the events were read: none of them is newer than a suspension that was not seen.
                admit_again(relay, &call.caller).await?;
            }
            let is_over = Instant::now() >= end || relay.stopping.is_cancelled();
            if !page.data.is_empty() || is_over {
                return Ok(Answer::new(page));
            }
            let arrived = timeout_at(end.min(Instant::now() + LOOK), connected.arrived());
            tokio::select! {
                // Reasons to close are among what arrived; whether one holds is asked for above.
                _ = arrived => drop(connected.take()),
                () = relay.stopping.cancelled() => {}
            }
            has_waited = true;
        }
    }
}

fn too_many() -> Refusal {
    let text = "this agent waits in too many long polls at once; let one end first";
    ApiError::new(ApiCode::RateLimited, text).retry_after(1).into()
}
