//! A socket: frames in, frames out, typed.

mod error;
mod handshake;
mod wire;

use std::fmt;

use assent_ids::{AgentId, DeviceId, EventSeq};

pub use self::error::SocketError;
use self::wire::Wire;
use super::Client;
use crate::{
    socket::{Ack, Auth, AuthOk, AuthRenew, ClientFrame, MessageSend, ServerFrame},
    value::Secret,
};

/// Whether a message fits into a frame.
pub(super) fn check_length(message: &MessageSend) -> Result<(), SocketError> {
    wire::written(&ClientFrame::MessageSend(Box::new(message.clone()))).map(drop)
}

/// Whose socket it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// A person's, with an access token.
    Human,
    /// An agent's, with its token.
    Agent(AgentId),
}

/// How a socket begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connecting {
    /// Whose it is.
    pub door: Door,
    /// The last event that the client has handled. Without it, those come that were never acknowledged.
    pub resume_after: Option<EventSeq>,
    /// The device that connects.
    pub device_id: Option<DeviceId>,
}

/// A socket that was let in. Everything that it sends leaves while [`Self::next`] is waited for, so that two sides that
/// both have much to say never wait for one another.
pub struct Socket {
    wire: Wire,
    welcome: AuthOk,
}

impl Client {
    /// Opens a socket, with the token of this client.
    ///
    /// # Errors
    /// If the relay cannot be reached, or does not let the client in.
    pub async fn connect(&self, connecting: &Connecting) -> Result<Socket, SocketError> {
        let token = self.credentials.token().ok_or(SocketError::NoToken)?.clone();
        let mut wire = Wire::new(handshake::open(&self.transport, connecting.door).await?);
        let agent_id = match connecting.door {
            Door::Human => None,
            Door::Agent(agent_id) => Some(agent_id),
        };
        let auth = Auth {
            token,
            agent_id,
            resume_after: connecting.resume_after,
            device_id: connecting.device_id,
        };
        wire.say(&ClientFrame::Auth(auth))?;
        match wire.next().await? {
            ServerFrame::AuthOk(welcome) => Ok(Socket { wire, welcome }),
            _ => Err(SocketError::NotUnderstood("the first frame is no `auth.ok`".to_owned())),
        }
    }
}

impl Socket {
    /// What the relay said when it let the client in.
    #[must_use]
    pub const fn welcome(&self) -> &AuthOk {
        &self.welcome
    }

    /// The next frame of the relay. Giving up waiting loses nothing.
    ///
    /// # Errors
    /// If the connection has ended: there is nothing more to come. [`SocketError::is_passing`] tells whether to connect
    /// again.
    pub async fn next(&mut self) -> Result<ServerFrame, SocketError> {
        self.wire.next().await
    }

    /// Sends a message: its answer comes as [`ServerFrame::MessageSent`] or [`ServerFrame::MessageRefused`].
    ///
    /// # Errors
    /// If it is longer than a frame may be. Then it can be sent by a request.
    pub fn send(&mut self, message: MessageSend) -> Result<(), SocketError> {
        self.wire.say(&ClientFrame::MessageSend(Box::new(message)))
    }

    /// Says that everything up to this event was handled, for good.
    pub fn acknowledge(&mut self, event_id: EventSeq) {
        // It is short, and a number can be written.
        let _cannot_fail = self.wire.say(&ClientFrame::Ack(Ack { event_id }));
    }

    /// Goes on with another access token: its answer comes as [`ServerFrame::AuthOk`].
    ///
    /// # Errors
    /// If the token is longer than a frame may be.
    pub fn renew(&mut self, access_token: Secret) -> Result<(), SocketError> {
        self.wire.say(&ClientFrame::AuthRenew(AuthRenew { access_token }))
    }

    /// Says goodbye. What was not sent yet is sent first.
    ///
    /// # Errors
    /// If the connection has ended already.
    pub async fn close(self) -> Result<(), SocketError> {
        self.wire.close().await
    }
}

impl fmt::Debug for Socket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Socket").field("welcome", &self.welcome).finish_non_exhaustive()
    }
}
