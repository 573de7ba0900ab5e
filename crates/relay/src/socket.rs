//! Sockets: events as they happen, without a gap and without repetition.
//!
//! A connection is one task that owns the socket. It knows the last event that it sent, its cursor. What
//! continues the cursor goes out of the mailbox; whatever else happens, a gap, a full mailbox, a wake-up
//! of another node, makes it read on from the store. So a slow reader costs a few bytes and loses nothing.

mod acks;
mod admission;
mod client;
mod upgrade;
mod wire;

use std::{sync::Arc, time::Duration};

use assent_protocol::a2h::ApiError;
use assent_relay_api::socket::{
    AuthExpiring, ClientFrame, CloseCode, DEAD_AFTER, Draining, PING_INTERVAL, Pong, ServerFrame,
};
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_tungstenite::tungstenite::Message;

use self::{client::Client, wire::Wire};
use crate::{place::Place, relay::Relay};
pub(crate) use acks::WriteAck;
pub(crate) use upgrade::routes;

/// How long before a token runs out its holder is told.
const EXPIRING: Duration = Duration::from_secs(30);

/// How often a connection looks at its clock, and writes down what was acknowledged.
const TICK: Duration = Duration::from_secs(1);

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
    /// The other side is gone.
    Gone,
}

/// Serves a socket from its first frame to its last.
async fn serve(relay: Arc<Relay>, mut wire: Wire, door: Door, place: Place) {
    let end = match admission::admit(&relay, &mut wire, door).await {
        Ok(mut client) => {
            let end = run(&relay, &mut wire, &mut client).await;
            client.finish(&relay).await;
            end
        }
        Err(end) => end,
    };
    if let End::Close(code) = end {
        wire.close(code).await;
    }
    drop(place);
}

async fn run(relay: &Arc<Relay>, wire: &mut Wire, client: &mut Client) -> End {
    let mut ticks = interval_at(Instant::now() + TICK, TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut pulse = Pulse::new();
    loop {
        let step = tokio::select! {
            frame = wire.next() => {
                pulse.heard();
                received(relay, wire, client, frame).await
            }
            () = client.arrived() => client.pump(relay, wire).await,
            _ = ticks.tick() => tick(relay, wire, client, &mut pulse).await,
            () = relay.stopping.cancelled() => farewell(wire).await,
        };
        if let Err(end) = step {
            return end;
        }
    }
}

async fn received(
    relay: &Arc<Relay>,
    wire: &mut Wire,
    client: &mut Client,
    frame: Option<Message>,
) -> Result<(), End> {
    let Some(frame) = frame else { return Err(End::Gone) };
    let text = match frame {
        Message::Text(text) => text,
        // The protocol's own frames are answered by the library.
        Message::Ping(_) | Message::Pong(_) => return Ok(()),
        Message::Close(_) => return Err(End::Gone),
        Message::Binary(_) | Message::Frame(_) => return Err(End::Close(CloseCode::BadFrame)),
    };
    match ClientFrame::read(text.as_bytes()).map_err(|error| unreadable(&error))? {
        ClientFrame::Ack(ack) => client.acknowledge(ack.event_id),
        ClientFrame::AuthRenew(renew) => {
            admission::renew(relay, wire, client, renew.access_token.expose()).await?;
        }
        ClientFrame::Ping(_) => wire.send(&ServerFrame::Pong(Pong {})).await?,
        ClientFrame::Auth(_) => return Err(End::Close(CloseCode::BadFrame)),
        // A newer client may say more than this server understands.
        ClientFrame::Unknown => {}
    }
    Ok(())
}

fn unreadable(_: &ApiError) -> End {
    End::Close(CloseCode::BadFrame)
}

async fn tick(
    relay: &Arc<Relay>,
    wire: &mut Wire,
    client: &mut Client,
    pulse: &mut Pulse,
) -> Result<(), End> {
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
    match pulse.check() {
        Check::Fine => Ok(()),
        Check::Ask => wire.ping().await,
        Check::Dead => Err(End::Gone),
    }
}

async fn farewell(wire: &mut Wire) -> Result<(), End> {
    let frame = ServerFrame::Draining(Draining { reconnect_after_ms: 1000 });
    wire.send(&frame).await?;
    Err(End::Close(CloseCode::GoingAway))
}

/// Whether the other side is alive.
struct Pulse {
    heard: Instant,
    asked: Instant,
}

enum Check {
    Fine,
    Ask,
    Dead,
}

impl Pulse {
    fn new() -> Self {
        Self { heard: Instant::now(), asked: Instant::now() }
    }

    fn heard(&mut self) {
        self.heard = Instant::now();
    }

    fn check(&mut self) -> Check {
        if self.heard.elapsed() >= DEAD_AFTER {
            return Check::Dead;
        }
        if self.asked.elapsed() < PING_INTERVAL {
            return Check::Fine;
        }
        self.asked = Instant::now();
        Check::Ask
    }
}
