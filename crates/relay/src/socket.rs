//! Sockets: events as they happen, without a gap and without repetition.
//!
//! A connection is one task that owns the socket. It knows the last event that was sent, its cursor. While it waits,
//! it leaves the right to write in its mailbox, and what continues the cursor is sent by whoever brings it. Whatever
//! else happens, a gap, a full mailbox, a wake-up of another node, makes it read on from the store. So a slow reader
//! costs a few bytes and loses nothing.

mod acks;
mod admission;
mod alarm;
mod client;
mod sending;
mod upgrade;
mod wire;

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use assent_relay_api::socket::{AuthExpiring, ClientFrame, CloseCode, Draining, ServerFrame};
use assent_websocket::{self as websocket, Frame, Message};
use tokio::time::{Instant, Sleep, sleep_until};

use self::{
    alarm::{Check, Pulse},
    client::Client,
    wire::{Lost, Wire},
};
use crate::{place::Place, relay::Relay};
pub(crate) use acks::WriteAck;
pub(crate) use upgrade::routes;

/// How long before a token runs out its holder is told.
const EXPIRING: Duration = Duration::from_secs(30);

/// So many times what a client says comes first, before mail and alarms have their turn.
const IN_A_ROW: u32 = 32;

/// Which door a client came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    Human,
    Agent(Option<assent_ids::AgentId>),
}

/// Why a connection ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// We say why.
    Close(CloseCode),
    /// We are going down: the other side is told when to come back.
    Draining,
    /// The other side said goodbye, or breaks the protocol: it is answered in its own terms.
    Answer(Option<websocket::CloseCode>),
    /// The other side is gone.
    Gone,
}

impl From<Lost> for End {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::Gone => Self::Gone,
            Lost::Unreadable(code) => Self::Answer(Some(code)),
        }
    }
}

/// What a connection waits for.
enum Happened {
    Message(Result<Message, Lost>),
    Mail,
    Alarm,
}

/// Serves a socket from its first frame to its last.
///
/// Thousands of these wait at any moment, so whatever does not happen all the time is in a box: a future
/// is as large as the largest thing that it ever does.
async fn serve(relay: Arc<Relay>, mut wire: Wire, door: Door, place: Place) {
    let end = match Box::pin(admission::admit(&relay, &mut wire, door)).await {
        Ok(mut client) => {
            wire.allow_messages();
            let end = run(&relay, &mut wire, &mut client).await;
            // Whatever comes now, nobody else writes any more.
            let end = client.take_back(&mut wire).await.err().unwrap_or(end);
            Box::pin(client.finish(&relay)).await;
            end
        }
        Err(end) => end,
    };
    match end {
        End::Close(code) => Box::pin(wire.close(code)).await,
        End::Draining => Box::pin(farewell(&mut wire)).await,
        End::Answer(code) => Box::pin(wire.goodbye(code, "")).await,
        End::Gone => {}
    }
    drop(place);
}

async fn run(relay: &Arc<Relay>, wire: &mut Wire, client: &mut Client) -> End {
    let mut pulse = Pulse::new(Instant::now());
    let mut alarm = pin!(sleep_until(client.deadline(relay.now(), &pulse)));
    // The hub tells when the relay stops; before it knew of this connection, nobody did.
    if relay.stopping.is_cancelled() {
        return End::Draining;
    }
    let mut round = 0_u32;
    loop {
        client.lend(wire);
        let others_first = round.is_multiple_of(IN_A_ROW);
        round = round.wrapping_add(1);
        let step = match happens(wire, client, alarm.as_mut(), others_first).await {
            Happened::Message(message) => {
                pulse.hear();
                received(relay, wire, client, message).await
            }
            Happened::Mail => client.pump(relay, wire).await,
            Happened::Alarm => {
                let checked = check(relay, wire, client, &mut pulse).await;
                alarm.as_mut().reset(client.deadline(relay.now(), &pulse));
                checked
            }
        };
        if let Err(end) = step {
            return end;
        }
        if let Some(due) = client.ack_due()
            && due < alarm.deadline()
        {
            alarm.as_mut().reset(due);
        }
    }
}

/// What happens next. Most of what wakes a connection is a message, so that is looked for first, unless others have
/// their turn: somebody who speaks all the time must not keep them waiting.
async fn happens(
    wire: &mut Wire,
    client: &Client,
    mut alarm: Pin<&mut Sleep>,
    others_first: bool,
) -> Happened {
    let mut message = pin!(wire.next());
    let mut others = |context: &mut Context<'_>| match client.poll_arrived(context) {
        Poll::Ready(()) => Poll::Ready(Happened::Mail),
        Poll::Pending => alarm.as_mut().poll(context).map(|()| Happened::Alarm),
    };
    poll_fn(|context| {
        if others_first && let Poll::Ready(other) = others(context) {
            return Poll::Ready(other);
        }
        match message.as_mut().poll(context) {
            Poll::Ready(message) => Poll::Ready(Happened::Message(message)),
            Poll::Pending => others(context),
        }
    })
    .await
}

async fn received(
    relay: &Arc<Relay>,
    wire: &mut Wire,
    client: &mut Client,
    message: Result<Message, Lost>,
) -> Result<(), End> {
    let text = match message? {
        Message::Text(text) => text,
        Message::Ping(payload) => return client.say(wire, &Frame::pong(&payload)).await,
        Message::Pong(_) => return Ok(()),
        Message::Close(code) => return Err(End::Answer(code)),
        Message::Binary(_) => return Err(End::Close(CloseCode::BadFrame)),
    };
    match ClientFrame::read(text.as_bytes()).map_err(|_| End::Close(CloseCode::BadFrame))? {
        ClientFrame::Ping(_) => client.say(wire, wire::pong()).await?,
        ClientFrame::Ack(ack) => {
            client.take_back(wire).await?;
            client.acknowledge(ack.event_id);
        }
        ClientFrame::AuthRenew(renew) => {
            client.take_back(wire).await?;
            let token = renew.access_token.expose();
            Box::pin(admission::renew(relay, wire, client, token)).await?;
        }
        ClientFrame::MessageSend(message) => {
            // The alarm looks at the token as well, but perhaps a moment later.
            if client.token_lifetime(relay.now()).is_some_and(|left| left.is_zero()) {
                return Err(End::Close(CloseCode::Unauthenticated));
            }
            Box::pin(sending::send_message(relay, wire, client, *message)).await?;
        }
        ClientFrame::Unreadable(refused) => {
            client.answer(relay, wire, &ServerFrame::MessageRefused(refused)).await?;
        }
        ClientFrame::Auth(_) => return Err(End::Close(CloseCode::BadFrame)),
        // A newer client may say more than this server understands.
        ClientFrame::Unknown => {}
    }
    Ok(())
}

/// The alarm went off: something may be due.
async fn check(
    relay: &Arc<Relay>,
    wire: &mut Wire,
    client: &mut Client,
    pulse: &mut Pulse,
) -> Result<(), End> {
    client.take_back(wire).await?;
    client.write_down(relay);
    if let Some(left) = client.token_lifetime(relay.now()) {
        if left.is_zero() {
            return Err(End::Close(CloseCode::Unauthenticated));
        }
        if left <= EXPIRING && client.warn() {
            let expires_in_seconds = left.as_secs();
            let frame = ServerFrame::AuthExpiring(AuthExpiring { expires_in_seconds });
            wire.send(&frame).await?;
        }
    }
    match pulse.check(Instant::now()) {
        Check::Fine => Ok(()),
        Check::Ask => wire.ping().await,
        Check::Dead => Err(End::Gone),
    }
}

async fn farewell(wire: &mut Wire) {
    let frame = ServerFrame::Draining(Draining { reconnect_after_ms: 1000 });
    if wire.send(&frame).await.is_ok() {
        wire.close(CloseCode::GoingAway).await;
    }
}
