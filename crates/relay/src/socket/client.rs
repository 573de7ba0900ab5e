//! Who is at the other end, and how far he has come.

use std::{
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use assent_ids::{DeviceId, EventSeq, UnixMillis};
use assent_relay_api::socket::{CloseCode, ServerFrame};
use assent_websocket::Frame;
use tokio::time::Instant;

use super::{
    End,
    acks::WriteAck,
    wire::{Wire, encoded},
};
use crate::{
    caller::Caller,
    events::{Portion, frame},
    hub::{Arrived, Closing, Connected, Pen, WayBack},
    party::Party,
    reading::ReadEvents,
    relay::Relay,
};

/// What one round of catching up holds in memory: many may catch up at once.
const ROUND: Portion = Portion { events: 256, bytes: 256 * 1024 };

/// How long acknowledgements are collected before they are written down.
const ACKS: Duration = Duration::from_secs(1);

/// Who was let in, and until when. The tokens of agents do not run out.
#[derive(Clone, Debug)]
pub(super) struct Admitted {
    pub(super) caller: Caller,
    pub(super) expires_at: Option<UnixMillis>,
}

/// A client that was let in.
pub(super) struct Client {
    pub(super) party: Party,
    admitted: Admitted,
    device: Option<DeviceId>,
    connected: Connected,
    /// The last event that was sent.
    cursor: EventSeq,
    /// How far the client has acknowledged, and how much of that is written down.
    acknowledged: EventSeq,
    written: EventSeq,
    /// When it has to be written down.
    ack_due: Option<Instant>,
    warned: bool,
}

impl Client {
    pub(super) fn new(
        party: Party,
        device: Option<DeviceId>,
        admitted: Admitted,
        connected: Connected,
        cursor: EventSeq,
    ) -> Self {
        let none = EventSeq::default();
        Self {
            party,
            admitted,
            device,
            connected,
            cursor,
            acknowledged: none,
            written: none,
            ack_due: None,
            warned: false,
        }
    }

    pub(super) fn poll_arrived(&self, context: &mut Context<'_>) -> Poll<()> {
        self.connected.poll_arrived(context)
    }

    /// Says something that depends on nothing else: mostly without taking the pen back.
    pub(super) async fn say(&mut self, wire: &mut Wire, frame: &Frame) -> Result<(), End> {
        if self.connected.say(frame) {
            return Ok(());
        }
        self.take_back(wire).await?;
        wire.send_all(std::slice::from_ref(frame)).await
    }

    /// While this connection waits, events are written by whoever brings them.
    pub(super) fn lend(&self, wire: &mut Wire) {
        if let Some(pen) = wire.lend(self.cursor) {
            self.connected.lend(pen);
        }
    }

    /// The same, and the answer to what the client sent is written by whoever knows it first.
    pub(super) fn expect_answer(&self, wire: &mut Wire) -> WayBack {
        self.lend(wire);
        self.connected.expect_answer()
    }

    /// Whether nobody has answered. From now on nobody else does.
    pub(super) fn is_unanswered(&self) -> bool {
        self.connected.expects_no_more()
    }

    /// Writes alone again, and finishes what somebody else has begun.
    pub(super) async fn take_back(&mut self, wire: &mut Wire) -> Result<(), End> {
        let Some(Pen { writer, cursor, rest }) = self.connected.take_pen() else { return Ok(()) };
        wire.take_back(writer);
        self.cursor = cursor;
        if rest.is_empty() { Ok(()) } else { Box::pin(wire.send_rest(&rest)).await }
    }

    /// Sends what arrived.
    pub(super) async fn pump(&mut self, relay: &Arc<Relay>, wire: &mut Wire) -> Result<(), End> {
        self.send_arrived(relay, wire, None).await
    }

    /// Answers, and sends what arrived meanwhile along with it.
    pub(super) async fn answer(
        &mut self,
        relay: &Arc<Relay>,
        wire: &mut Wire,
        answer: &ServerFrame,
    ) -> Result<(), End> {
        self.send_arrived(relay, wire, Some(encoded(answer)?)).await
    }

    async fn send_arrived(
        &mut self,
        relay: &Arc<Relay>,
        wire: &mut Wire,
        answer: Option<Frame>,
    ) -> Result<(), End> {
        self.take_back(wire).await?;
        let Arrived { answers: mut frames, events, look, closing } = self.connected.take();
        let mut behind = look;
        frames.reserve_exact(events.len().saturating_add(1));
        frames.extend(answer);
        for pushed in events {
            if pushed.event_id.0 == self.cursor.0.saturating_add(1) {
                frames.push(pushed.frame);
                self.cursor = pushed.event_id;
            } else if pushed.event_id > self.cursor {
                behind = true;
            }
        }
        wire.send_all(&frames).await?;
        if behind {
            // In a box: a connection that keeps up need not have room for this.
            Box::pin(self.catch_up(relay, wire)).await?;
        }
        closing.iter().try_for_each(|why| self.close(why))
    }

    /// Sends what the store has beyond the cursor.
    pub(super) async fn catch_up(
        &mut self,
        relay: &Arc<Relay>,
        wire: &mut Wire,
    ) -> Result<(), End> {
        loop {
            let read = ReadEvents { party: self.party, after: self.cursor, portion: ROUND };
            let read = relay.store.read(read).await;
            let batch = read.map_err(|_| End::Close(CloseCode::GoingAway))?;
            let mut frames = Vec::with_capacity(batch.events.len());
            for event in batch.events {
                frames.push(frame(&event.kind, event.event_id, &event.data));
                self.cursor = event.event_id;
            }
            wire.send_all(&frames).await?;
            if !batch.has_more {
                return Ok(());
            }
        }
    }

    fn close(&self, why: &Closing) -> Result<(), End> {
        let concerned = match why {
            Closing::Draining => return Err(End::Draining),
            Closing::Suspended => return Err(End::Close(CloseCode::Forbidden)),
            Closing::Expelled => true,
            Closing::LoginEnded(ended) => {
                matches!(self.caller(), Caller::User { family_id, .. } if family_id == ended)
            }
            Closing::TokenRevoked(revoked) => {
                matches!(self.caller(), Caller::Agent { token_id, .. } if token_id == revoked)
            }
            Closing::DeviceRemoved(removed) => self.device == Some(*removed),
        };
        if concerned { Err(End::Close(CloseCode::SessionEnded)) } else { Ok(()) }
    }

    /// The client has handled everything up to `event`; more than was sent it cannot have.
    pub(super) fn acknowledge(&mut self, event: EventSeq) {
        self.acknowledged = self.acknowledged.max(event.min(self.cursor));
        if self.acknowledged > self.written && self.ack_due.is_none() {
            self.ack_due = Some(Instant::now() + ACKS);
        }
    }

    /// When an acknowledgement has to be written down, if there is one.
    pub(super) const fn ack_due(&self) -> Option<Instant> {
        self.ack_due
    }

    /// Writes down, without waiting, what was acknowledged since the last time.
    pub(super) fn write_down(&mut self, relay: &Arc<Relay>) {
        if let Some(ack) = self.unwritten(relay) {
            let relay_in_task = Arc::clone(relay);
            relay.tasks.spawn(async move {
                if let Err(error) = relay_in_task.store.write(ack).await {
                    // Acknowledged events come again: the client knows them by their numbers.
                    tracing::warn!(%error, "an acknowledgement was not written down");
                }
            });
        }
    }

    /// Writes down what is left to write.
    pub(super) async fn finish(&mut self, relay: &Relay) {
        if let Some(ack) = self.unwritten(relay)
            && let Err(error) = relay.store.write(ack).await
        {
            tracing::warn!(%error, "an acknowledgement was not written down");
        }
    }

    fn unwritten(&mut self, relay: &Relay) -> Option<WriteAck> {
        self.ack_due = None;
        if self.acknowledged <= self.written {
            return None;
        }
        self.written = self.acknowledged;
        Some(WriteAck::new(relay, self.party, self.device, self.acknowledged))
    }

    /// How long the token is good; `None` for agents, whose tokens do not run out.
    pub(super) fn token_lifetime(&self, now: UnixMillis) -> Option<Duration> {
        self.admitted.expires_at.map(|end| end.since(now))
    }

    /// Whether the client was not warned yet that its token runs out; from now on it was.
    pub(super) fn warn(&mut self) -> bool {
        !std::mem::replace(&mut self.warned, true)
    }

    /// Goes on with another token.
    pub(super) fn renew(&mut self, admitted: Admitted) {
        self.admitted = admitted;
        self.warned = false;
    }

    pub(super) const fn caller(&self) -> &Caller {
        &self.admitted.caller
    }

    pub(super) const fn cursor(&self) -> EventSeq {
        self.cursor
    }
}
