//! One connection: frames in, frames out, typed.

mod frame_socket;
mod handshake;

use std::fmt;

use assent_ids::EventSeq;
use assent_outbound::Stream;
use assent_relay_api::{
    socket::{Ack, Auth, AuthOk, AuthRenew, ClientFrame, Ping, ServerFrame},
    value::Secret,
};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use self::frame_socket::FrameSocket;
pub(crate) use self::frame_socket::write_frame;
use crate::{Client, ConnectOptions, SocketRole, StreamError};

/// A connection that was let in. What it sends leaves while [`Self::next`] or [`Self::flush`] is polled, so that two
/// sides that both have much to send never wait for one another.
pub(crate) struct Connection {
    socket: FrameSocket<Stream>,
    welcome: AuthOk,
}

impl Connection {
    /// Connects with the token of this client.
    pub(crate) async fn open(
        client: &Client,
        options: &ConnectOptions,
        resume_after: Option<EventSeq>,
    ) -> Result<Self, StreamError> {
        let token = client.credentials.token().ok_or(StreamError::NoToken)?.clone();
        let mut socket = FrameSocket::new(handshake::open(&client.transport, options.role).await?);
        let agent_id = match options.role {
            SocketRole::Human => None,
            SocketRole::Agent(agent_id) => Some(agent_id),
        };
        let auth = Auth { token, agent_id, resume_after, device_id: options.device_id };
        socket.send(write_frame(&ClientFrame::Auth(auth))?);
        match socket.next().await? {
            ServerFrame::AuthOk(welcome) => Ok(Self { socket, welcome }),
            _ => Err(StreamError::NotUnderstood("the first frame is no `auth.ok`".to_owned())),
        }
    }

    /// What the relay said when it let the client in.
    pub(crate) const fn welcome(&self) -> &AuthOk {
        &self.welcome
    }

    /// The next frame of the relay. No frame is lost if the future is dropped.
    pub(crate) async fn next(&mut self) -> Result<ServerFrame, StreamError> {
        self.socket.next().await
    }

    /// Whether something waits to be sent.
    pub(crate) fn is_flushed(&self) -> bool {
        self.socket.is_flushed()
    }

    /// Sends what waits, without reading. A broken connection is reported by [`Self::next`].
    pub(crate) async fn flush(&mut self) {
        self.socket.flush().await;
    }

    /// Sends a frame that was written before.
    pub(crate) fn send(&mut self, frame: Utf8Bytes) {
        self.socket.send(frame);
    }

    /// Acknowledges all events up to this one.
    pub(crate) fn acknowledge(&mut self, event_id: EventSeq) -> Result<(), StreamError> {
        self.socket.send(write_frame(&ClientFrame::Ack(Ack { event_id }))?);
        Ok(())
    }

    /// Goes on with another access token.
    pub(crate) fn renew(&mut self, access_token: Secret) -> Result<(), StreamError> {
        self.socket.send(write_frame(&ClientFrame::AuthRenew(AuthRenew { access_token }))?);
        Ok(())
    }

    /// Shows the relay that this side is alive.
    pub(crate) fn ping(&mut self) -> Result<(), StreamError> {
        self.socket.send(write_frame(&ClientFrame::Ping(Ping {}))?);
        Ok(())
    }

    /// Closes the connection. What waits to be sent is sent first.
    pub(crate) async fn close(self) -> Result<(), StreamError> {
        self.socket.close().await
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("welcome", &self.welcome).finish_non_exhaustive()
    }
}
