//! Sockets: events as they happen, without gaps and without repetitions.
//!
//! A connection is one task that owns the socket and is the only one to write to it. It knows the last event that
//! was sent, its cursor. Events arrive in its mailbox; whenever they do not continue the cursor, because of a gap,
//! a full mailbox or a wake-up of another node, the task reads on from the store. So a slow reader costs little
//! memory and loses nothing.

mod acks;
mod admission;
mod alarm;
mod client;
mod reader;
mod sending;
mod upgrade;
mod writer;

use std::{pin::pin, sync::Arc, time::Duration};

use assent_relay_api::socket::{AuthExpiring, ClientFrame, CloseCode, Draining, Pong, ServerFrame};
use assent_websocket::{self as websocket, Frame, Message};
use tokio::time::{Instant, sleep_until};

use self::{
    alarm::{Check, Pulse},
    client::Client,
    reader::{Lost, SocketReader},
    writer::SocketWriter,
};
use crate::{http::RelayConnection, state::Relay};
pub(crate) use acks::WriteAck;
pub(crate) use upgrade::routes;

/// How long before its token expires a client is warned.
const EXPIRING: Duration = Duration::from_secs(30);

/// Which clients a path serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SocketRole {
    /// People.
    Human,
    /// Agents; the path may name one.
    Agent(Option<assent_ids::AgentId>),
}

/// Why a connection ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// The server closes it, for this reason.
    Close(CloseCode),
    /// The server is shutting down; the client learns when to reconnect.
    Draining,
    /// The client closes it or violates the protocol; the code is the answer to that.
    Answer(Option<websocket::CloseCode>),
    /// The client is gone.
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

/// Serves a socket from its first frame to its last.
///
/// A future is as large as the largest future that it awaits, and there are thousands of these. So whatever is
/// rare is boxed.
async fn serve(
    relay: Arc<Relay>,
    (mut reader, mut writer): (SocketReader, SocketWriter),
    role: SocketRole,
    connection: RelayConnection,
) {
    let admitted = Box::pin(admission::admit(&relay, &mut reader, &mut writer, role)).await;
    let end = match admitted {
        Ok(mut client) => {
            reader.allow_messages();
            let end = run(&relay, &mut reader, &mut writer, &mut client).await;
            Box::pin(client.finish(&relay)).await;
            end
        }
        Err(end) => end,
    };
    match end {
        End::Close(code) => Box::pin(writer.close(&mut reader, code)).await,
        End::Draining => Box::pin(drain(&mut reader, &mut writer)).await,
        End::Answer(code) => Box::pin(writer.close_with(&mut reader, code, "")).await,
        End::Gone => {}
    }
    drop(connection);
}

async fn run(
    relay: &Arc<Relay>,
    reader: &mut SocketReader,
    writer: &mut SocketWriter,
    client: &mut Client,
) -> End {
    let mut pulse = Pulse::new(Instant::now());
    let mut alarm = pin!(sleep_until(client.deadline(relay.now(), &pulse)));
    // The hub announces the shutdown only to connections that were registered before it.
    if relay.stopping.is_cancelled() {
        return End::Draining;
    }
    loop {
        let step = tokio::select! {
            message = reader.next() => {
                pulse.hear();
                received(relay, writer, client, message).await
            }
            () = client.arrived() => client.send_arrived(relay, writer).await,
            () = alarm.as_mut() => {
                let checked = check(relay, writer, client, &mut pulse).await;
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

async fn received(
    relay: &Arc<Relay>,
    writer: &mut SocketWriter,
    client: &mut Client,
    message: Result<Message, Lost>,
) -> Result<(), End> {
    let text = match message? {
        Message::Text(text) => text,
        Message::Ping(payload) => return writer.send_all(&[Frame::pong(&payload)]).await,
        Message::Pong(_) => return Ok(()),
        Message::Close(code) => return Err(End::Answer(code)),
        Message::Binary(_) => return Err(End::Close(CloseCode::BadFrame)),
    };
    match ClientFrame::read(text.as_bytes()).map_err(|_| End::Close(CloseCode::BadFrame))? {
        ClientFrame::Ping(_) => writer.send(&ServerFrame::Pong(Pong {})).await?,
        ClientFrame::Ack(ack) => client.acknowledge(ack.event_id),
        ClientFrame::AuthRenew(renew) => {
            let token = renew.access_token.expose();
            Box::pin(admission::renew(relay, writer, client, token)).await?;
        }
        ClientFrame::MessageSend(message) => {
            // The alarm checks the token as well, but perhaps a moment later.
            if client.token_lifetime(relay.now()).is_some_and(|left| left.is_zero()) {
                return Err(End::Close(CloseCode::Unauthenticated));
            }
            Box::pin(sending::send_message(relay, writer, client, *message)).await?;
        }
        ClientFrame::Unreadable(refused) => {
            writer.send(&ServerFrame::MessageRefused(refused)).await?;
        }
        ClientFrame::Auth(_) => return Err(End::Close(CloseCode::BadFrame)),
        // A newer client may send frames that this server does not know.
        ClientFrame::Unknown => {}
    }
    Ok(())
}

/// Does what is due when the alarm goes off.
async fn check(
    relay: &Arc<Relay>,
    writer: &mut SocketWriter,
    client: &mut Client,
    pulse: &mut Pulse,
) -> Result<(), End> {
    client.write_acks(relay);
    if let Some(left) = client.token_lifetime(relay.now()) {
        if left.is_zero() {
            return Err(End::Close(CloseCode::Unauthenticated));
        }
        if left <= EXPIRING && client.warn() {
            let expires_in_seconds = left.as_secs();
            let frame = ServerFrame::AuthExpiring(AuthExpiring { expires_in_seconds });
            writer.send(&frame).await?;
        }
    }
    match pulse.check(Instant::now()) {
        Check::Fine => Ok(()),
        Check::Ask => writer.ping().await,
        Check::Dead => Err(End::Gone),
    }
}

async fn drain(reader: &mut SocketReader, writer: &mut SocketWriter) {
    let frame = ServerFrame::Draining(Draining { reconnect_after_ms: 1000 });
    if writer.send(&frame).await.is_ok() {
        writer.close(reader, CloseCode::GoingAway).await;
    }
}
