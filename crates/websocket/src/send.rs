//! Frames onto a stream.

use std::io::{self, IoSlice};

use bytes::Buf;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};

use crate::Frame;

/// Sends frames with as few writes as possible: done when the kernel has them. A caller that stops waiting has
/// to drop the connection, as half of a frame may have been sent.
///
/// # Errors
/// If the connection breaks.
pub async fn send_all<S: AsyncWrite + Unpin>(stream: &mut S, frames: &[Frame]) -> io::Result<()> {
    match frames {
        [frame] => stream.write_all(frame.as_bytes()).await,
        frames => stream.write_all_buf(&mut Unsent { frames, sent: 0 }).await,
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
