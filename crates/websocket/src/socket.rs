//! Messages and frames on a stream.

use std::{
    future::poll_fn,
    io::{self, IoSlice},
    mem::MaybeUninit,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Buf;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf};

use crate::{CloseCode, Frame, Message, Reader, Violation};

/// What is read at once, on the stack.
const AT_ONCE: usize = 8 * 1024;

/// A connection that was upgraded.
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

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    /// Goes on where the handshake ended: `early` was read together with it. Messages have at most
    /// `limit` bytes.
    pub fn new(stream: S, early: &[u8], limit: usize) -> Self {
        let early = (!early.is_empty()).then(|| early.into());
        Self { stream, reader: Reader::new(limit), early }
    }

    /// The next message; `None` when the other side is gone or has sent its last one. Giving up waiting
    /// loses nothing.
    ///
    /// # Errors
    /// If the connection breaks or the other side breaks the protocol; then it is to be told by
    /// [`Self::close`] with [`Violation::code`].
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

    /// Sends a frame: done when the kernel has it. Whoever gives up waiting has to give up the
    /// connection, as half of a frame may have left.
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
        match frames {
            [frame] => self.send(frame).await,
            frames => self.stream.write_all_buf(&mut Unsent { frames, sent: 0 }).await,
        }
    }

    /// Says goodbye, and waits until the other side has done so, too. Whoever does not want to wait for
    /// ever limits the time.
    ///
    /// # Errors
    /// If the connection breaks.
    pub async fn close(&mut self, code: Option<CloseCode>, reason: &str) -> io::Result<()> {
        self.send(&Frame::close(code, reason)).await?;
        self.stream.shutdown().await?;
        // What was on its way is read and thrown away: closing before that would reset the connection,
        // and the other side might never see the goodbye.
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

/// Frames of which some bytes have left.
struct Unsent<'frames> {
    frames: &'frames [Frame],
    /// Bytes of the first frame that have left.
    sent: usize,
}

impl Buf for Unsent<'_> {
    fn remaining(&self) -> usize {
        let all = self.frames.iter().map(|frame| frame.as_bytes().len()).sum::<usize>();
        all.saturating_sub(self.sent)
    }

    fn chunk(&self) -> &[u8] {
        let first = self.frames.first().map_or(&[][..], |frame| frame.as_bytes());
        first.get(self.sent..).unwrap_or_default()
    }

    fn advance(&mut self, count: usize) {
        self.sent = self.sent.saturating_add(count);
        while let [first, rest @ ..] = self.frames
            && self.sent >= first.as_bytes().len()
        {
            self.sent = self.sent.saturating_sub(first.as_bytes().len());
            self.frames = rest;
        }
    }

    fn chunks_vectored<'slices>(&'slices self, slices: &mut [IoSlice<'slices>]) -> usize {
        let whole = self.frames.iter().skip(1).map(|frame| &frame.as_bytes()[..]);
        let mut count = 0;
        for (slice, chunk) in slices.iter_mut().zip(std::iter::once(self.chunk()).chain(whole)) {
            *slice = IoSlice::new(chunk);
            count += 1;
        }
        count
    }
}
