//! Messages and frames on a stream.

use std::{
    future::poll_fn,
    io,
    mem::MaybeUninit,
    pin::Pin,
    task::{Context, Poll, ready},
};

use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf};

use crate::{CloseCode, Frame, Message, Reader, Violation, send_all};

/// What is read at once, on the stack.
const AT_ONCE: usize = 8 * 1024;

/// A connection that was upgraded, or the half of it that is read.
#[derive(Debug)]
pub struct Socket<S> {
    stream: S,
    reader: Reader,
    /// What was read together with the handshake.
    early: Option<Box<[u8]>>,
}

/// Why nothing more can be read.
#[derive(Debug, Error)]
pub enum Error {
    /// The other side broke the protocol.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// The connection broke.
    #[error(transparent)]
    Broken(#[from] io::Error),
}

impl<S: AsyncRead + Unpin> Socket<S> {
    /// Goes on where the handshake ended: `early` was read together with it. Messages have at most
    /// `limit` bytes.
    pub fn new(stream: S, early: &[u8], limit: usize) -> Self {
        let early = (!early.is_empty()).then(|| early.into());
        Self { stream, reader: Reader::new(limit), early }
    }

    /// From the next frame on, messages have up to `limit` bytes: authenticated clients may send more than others.
    pub const fn allow(&mut self, limit: usize) {
        self.reader.allow(limit);
    }

    /// The next message; `None` when the other side is gone or has sent its last one. Giving up waiting
    /// loses nothing.
    ///
    /// # Errors
    /// If the connection breaks or the other side breaks the protocol; then close it with
    /// [`Self::close`] and [`Violation::code`].
    pub async fn next(&mut self) -> Result<Option<Message>, Error> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// The same, for those who poll.
    ///
    /// # Errors
    /// As [`Self::next`].
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Message>, Error>> {
        if let Some(early) = self.early.take()
            && let Some(message) = self.reader.feed(&early)?
        {
            return Poll::Ready(Ok(Some(message)));
        }
        if let Some(message) = self.reader.next()? {
            return Poll::Ready(Ok(Some(message)));
        }
        while !self.reader.is_closed() {
            let mut space = [const { MaybeUninit::uninit() }; AT_ONCE];
            let mut buffer = ReadBuf::uninit(&mut space);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            if buffer.filled().is_empty() {
                return Poll::Ready(Ok(None));
            }
            if let Some(message) = self.reader.feed(buffer.filled())? {
                return Poll::Ready(Ok(Some(message)));
            }
        }
        Poll::Ready(Ok(None))
    }

    /// Reads what is still on its way, and throws it away: closing before that would reset the connection,
    /// and the other side might never see the goodbye.
    ///
    /// # Errors
    /// If the connection breaks.
    pub async fn drain(&mut self) -> io::Result<()> {
        let mut space = vec![0; AT_ONCE];
        loop {
            let mut buffer = ReadBuf::new(&mut space);
            poll_fn(|context| Pin::new(&mut self.stream).poll_read(context, &mut buffer)).await?;
            if buffer.filled().is_empty() {
                return Ok(());
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    /// Sends a frame: done when the kernel has it. A caller that stops waiting has to drop the
    /// connection, as half of a frame may have been sent.
    ///
    /// # Errors
    /// If the connection breaks.
    pub async fn send(&mut self, frame: &Frame) -> io::Result<()> {
        self.stream.write_all(frame.as_bytes()).await
    }

    /// Sends several frames with as few writes as possible.
    ///
    /// # Errors
    /// If the connection breaks.
    pub async fn send_all(&mut self, frames: &[Frame]) -> io::Result<()> {
        send_all(&mut self.stream, frames).await
    }

    /// Sends a close frame, and waits for that of the other side. Use a timeout to bound the wait.
    ///
    /// # Errors
    /// If the connection breaks.
    pub async fn close(&mut self, code: Option<CloseCode>, reason: &str) -> io::Result<()> {
        self.send(&Frame::close(code, reason)).await?;
        self.stream.shutdown().await?;
        self.drain().await
    }
}
