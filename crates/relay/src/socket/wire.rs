//! The socket itself: frames in, frames out, never waiting for ever.

use std::{future::poll_fn, io, pin::pin, sync::LazyLock, task::Poll, time::Duration};

use assent_ids::EventSeq;
use assent_relay_api::socket::{
    CloseCode, MAX_FIRST_FRAME_BYTES, MAX_FRAME_BYTES, Pong, ServerFrame,
};
use assent_websocket::{self as websocket, Error, Frame, Message, Socket};
use bytes::Bytes;
use hyper_util::{rt::TokioIo, server::conn::auto::upgrade};
use tokio::{
    io::AsyncWriteExt as _,
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    time::timeout,
};

use super::End;
use crate::hub::Pen;

/// How long frames may take to leave. A reader that is slower is left: it would not read a goodbye
/// either. It connects again and goes on where it was.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long the other side may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// A socket.
pub(super) struct Wire {
    incoming: Socket<OwnedReadHalf>,
    /// Nothing while it is lent.
    outgoing: Option<OwnedWriteHalf>,
}

impl Wire {
    /// Takes over a connection that was upgraded, with what was read of it already.
    pub(super) fn new(upgraded: hyper::upgrade::Upgraded) -> Option<Self> {
        let parts = upgrade::downcast::<TokioIo<TcpStream>>(upgraded).ok()?;
        let (incoming, outgoing) = parts.io.into_inner().into_split();
        let incoming = Socket::new(incoming, &parts.read_buf, MAX_FIRST_FRAME_BYTES);
        Some(Self { incoming, outgoing: Some(outgoing) })
    }

    /// Whoever was let in may send messages.
    pub(super) const fn allow_messages(&mut self) {
        self.incoming.allow(MAX_FRAME_BYTES);
    }

    /// The next message, or why there is none any more. Giving up waiting loses nothing.
    pub(super) async fn next(&mut self) -> Result<Message, Lost> {
        match self.incoming.next().await {
            Ok(Some(message)) => Ok(message),
            Ok(None) | Err(Error::Broken(_)) => Err(Lost::Gone),
            Err(Error::Violation(violation)) => Err(Lost::Unreadable(violation.code())),
        }
    }

    /// Lets somebody else write, until he gives it back.
    pub(super) fn lend(&mut self, cursor: EventSeq) -> Option<Pen> {
        self.outgoing.take().map(|writer| Pen::new(writer, cursor))
    }

    /// Writes alone again. What the other one could not finish has to be sent first.
    pub(super) fn take_back(&mut self, writer: OwnedWriteHalf) {
        self.outgoing = Some(writer);
    }

    /// Sends what is left of a frame.
    pub(super) async fn send_rest(&mut self, rest: &Bytes) -> Result<(), End> {
        let writer = self.outgoing.as_mut().ok_or(End::Gone)?;
        in_time(writer.write_all(rest)).await
    }

    /// Sends a frame and waits until it is on its way.
    pub(super) async fn send(&mut self, frame: &ServerFrame) -> Result<(), End> {
        self.send_all(&[encoded(frame)?]).await
    }

    /// Sends frames that are ready, in their order.
    pub(super) async fn send_all(&mut self, frames: &[Frame]) -> Result<(), End> {
        let writer = self.outgoing.as_mut().ok_or(End::Gone)?;
        in_time(websocket::send_all(writer, frames)).await
    }

    /// Asks whether anybody is there.
    pub(super) async fn ping(&mut self) -> Result<(), End> {
        self.send_all(&[Frame::ping()]).await
    }

    /// Says goodbye, and waits a moment for the answer.
    pub(super) async fn close(&mut self, code: CloseCode) {
        self.goodbye(websocket::CloseCode::new(code.code()), code.reason()).await;
    }

    /// Answers a goodbye, or says what was wrong.
    pub(super) async fn goodbye(&mut self, code: Option<websocket::CloseCode>, reason: &str) {
        let Some(mut writer) = self.outgoing.take() else { return };
        let goodbye = async {
            websocket::send_all(&mut writer, &[Frame::close(code, reason)]).await?;
            writer.shutdown().await?;
            self.incoming.drain().await
        };
        // Whoever does not answer is left.
        let _ = timeout(GOODBYE, goodbye).await;
    }
}

/// What answers whoever asks in the words of our own protocol.
pub(super) fn pong() -> &'static Frame {
    static PONG: LazyLock<Frame> = LazyLock::new(|| {
        let pong = serde_json::to_string(&ServerFrame::Pong(Pong {}));
        Frame::text(&pong.unwrap_or_default())
    });
    &PONG
}

/// A frame, ready to be sent.
pub(super) fn encoded(frame: &ServerFrame) -> Result<Frame, End> {
    serde_json::to_string(frame).map(|text| Frame::text(&text)).map_err(|_| End::Gone)
}

/// Why nothing more can be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// The other side is gone.
    Gone,
    /// It breaks the protocol.
    Unreadable(websocket::CloseCode),
}

async fn in_time(sending: impl Future<Output = io::Result<()>>) -> Result<(), End> {
    let mut sending = pin!(sending);
    // The kernel nearly always has room, and then no clock is needed.
    let at_once = poll_fn(|context| Poll::Ready(sending.as_mut().poll(context))).await;
    if let Poll::Ready(sent) = at_once {
        return sent.map_err(|_| End::Gone);
    }
    match timeout(PATIENCE, sending).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Gone),
    }
}
