//! What is sent.

use bytes::{BufMut as _, Bytes, BytesMut};

use crate::{
    CloseCode,
    head::{MAX_CONTROL, MAX_HEAD, Opcode},
};

/// A frame of a server, ready to be sent to one or to many. Copying it copies a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame(Bytes);

impl Frame {
    /// A text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::new(Opcode::Text, text.as_bytes())
    }

    /// Bytes.
    #[must_use]
    pub fn binary(bytes: &[u8]) -> Self {
        Self::new(Opcode::Binary, bytes)
    }

    /// An empty ping.
    #[must_use]
    pub fn ping() -> Self {
        Self::new(Opcode::Ping, &[])
    }

    /// The answer to a ping, with its payload.
    #[must_use]
    pub fn pong(payload: &[u8]) -> Self {
        Self::new(Opcode::Pong, payload.get(..MAX_CONTROL).unwrap_or(payload))
    }

    /// The last frame. Of a reason that is too long, the beginning is sent.
    #[must_use]
    pub fn close(code: Option<CloseCode>, reason: &str) -> Self {
        let Some(code) = code else { return Self::new(Opcode::Close, &[]) };
        let mut payload = BytesMut::from(&code.number().to_be_bytes()[..]);
        let end = reason.floor_char_boundary(MAX_CONTROL.saturating_sub(payload.len()));
        payload.put_slice(reason.get(..end).unwrap_or_default().as_bytes());
        Self::new(Opcode::Close, &payload)
    }

    fn new(opcode: Opcode, payload: &[u8]) -> Self {
        let mut frame = BytesMut::with_capacity(payload.len().saturating_add(MAX_HEAD));
        frame.put_u8(0x80 | opcode.number());
        match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
            (Ok(short @ 0..126), _) => frame.put_u8(short),
            (_, Ok(medium)) => {
                frame.put_u8(126);
                frame.put_u16(medium);
            }
            _ => {
                frame.put_u8(127);
                frame.put_u64(u64::try_from(payload.len()).unwrap_or(u64::MAX));
            }
        }
        frame.put_slice(payload);
        Self(frame.freeze())
    }

    /// As it goes over the wire.
    #[must_use]
    pub const fn as_bytes(&self) -> &Bytes {
        &self.0
    }
}
