//! An authenticated client, and how far it has come.

use std::{sync::Arc, time::Duration};

use assent_ids::{DeviceId, EventSeq, Principal, UnixMillis};
use assent_relay_api::socket::CloseCode;
use tokio::time::Instant;

use super::{
    End,
    acks::{ReadPosition, WriteAck},
    writer::SocketWriter,
};
use crate::{
    delivery::{
        events::{Portion, frame},
        hub::{Closing, Connected},
        reading::ReadEvents,
    },
    http::Caller,
    state::Relay,
};

/// What one round of catching up holds in memory: many clients may catch up at once.
const ROUND: Portion = Portion { events: 256, bytes: 256 * 1024 };

/// How long acknowledgements are collected before they are stored.
const ACK_DELAY: Duration = Duration::from_secs(1);

/// The caller behind a connection, and when its token expires. Tokens of agents do not expire.
#[derive(Clone, Debug)]
pub(super) struct Admitted {
    pub(super) caller: Caller,
    pub(super) expires_at: Option<UnixMillis>,
}

/// A client that was authenticated.
pub(super) struct Client {
    pub(super) party: Principal,
    admitted: Admitted,
    device: Option<DeviceId>,
    connected: Connected,
    /// The last event that was sent.
    cursor: EventSeq,
    /// The last event that the client has acknowledged, and the last one of which that is stored.
    acknowledged: EventSeq,
    written: EventSeq,
    /// When the acknowledgement has to be stored.
    ack_due: Option<Instant>,
    warned: bool,
}

impl Client {
    pub(super) fn new(
        party: Principal,
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

    /// Waits until something is put into the mailbox.
    pub(super) async fn arrived(&self) {
        self.connected.arrived().await;
    }

    /// Sends the events in the mailbox, and what the store has beyond them.
    pub(super) async fn send_arrived(
        &mut self,
        relay: &Arc<Relay>,
        writer: &mut SocketWriter,
    ) -> Result<(), End> {
        let mut arrived = self.connected.take();
        let frames = arrived.take_next(&mut self.cursor);
        writer.send_all(&frames).await?;
        if arrived.is_behind {
            // Boxed: a connection that keeps up need not have room for this.
            Box::pin(self.catch_up(relay, writer)).await?;
        }
        arrived.closing.iter().try_for_each(|why| self.close(why))
    }

    /// Sends what the store has beyond the cursor.
    pub(super) async fn catch_up(
        &mut self,
        relay: &Arc<Relay>,
        writer: &mut SocketWriter,
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
            writer.send_all(&frames).await?;
            if !batch.has_more {
                return Ok(());
            }
        }
    }

    fn close(&self, why: &Closing) -> Result<(), End> {
        let applies = match why {
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
        if applies { Err(End::Close(CloseCode::SessionEnded)) } else { Ok(()) }
    }

    /// The client has handled everything up to `event`, but no more than was sent to it.
    pub(super) fn acknowledge(&mut self, event: EventSeq) {
        self.acknowledged = self.acknowledged.max(event.min(self.cursor));
        if self.acknowledged > self.written && self.ack_due.is_none() {
            self.ack_due = Some(Instant::now() + ACK_DELAY);
        }
    }

    /// When an acknowledgement has to be stored, if there is one.
    pub(super) const fn ack_due(&self) -> Option<Instant> {
        self.ack_due
    }

    /// Stores, without waiting for it, what was acknowledged since the last time.
    pub(super) fn write_acks(&mut self, relay: &Arc<Relay>) {
        if let Some(ack) = self.unwritten(relay) {
            let relay_in_task = Arc::clone(relay);
            relay.tasks.spawn(async move {
                if let Err(error) = relay_in_task.store.write(ack).await {
                    // The events are sent again after a reconnect; the client knows them by their numbers.
                    tracing::warn!(%error, "an acknowledgement was not stored");
                }
            });
        }
    }

    /// Stores the last acknowledgement and waits for it.
    pub(super) async fn finish(&mut self, relay: &Relay) {
        if let Some(ack) = self.unwritten(relay)
            && let Err(error) = relay.store.write(ack).await
        {
            tracing::warn!(%error, "an acknowledgement was not stored");
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

    /// How long the token is still valid; `None` for agents, whose tokens do not expire.
    pub(super) fn token_lifetime(&self, now: UnixMillis) -> Option<Duration> {
        self.admitted.expires_at.map(|end| end.since(now))
    }

    /// Returns `true` the first time: the client is warned once that its token expires.
    pub(super) fn warn(&mut self) -> bool {
        !std::mem::replace(&mut self.warned, true)
    }

    /// Continues with another token.
    pub(super) fn renew(&mut self, admitted: Admitted) {
        self.admitted = admitted;
        self.warned = false;
    }

    pub(super) const fn caller(&self) -> &Caller {
        &self.admitted.caller
    }

    pub(super) const fn position(&self) -> ReadPosition {
        ReadPosition { party: self.party, device: self.device }
    }

    pub(super) const fn cursor(&self) -> EventSeq {
        self.cursor
    }
}
