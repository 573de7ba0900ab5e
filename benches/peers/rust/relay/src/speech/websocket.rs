//! RFC 6455, as a client that sends short texts.

use std::net::SocketAddr;

use crate::pool::{Framed, Step};

/// What a client of small frames sends, with its head.
pub(crate) const FRAME_BYTES: usize = 256;

/// The first opcode of the protocol's own frames.
const CONTROL: u8 = 0x8;

/// Asks for a socket.
pub(crate) fn upgrade(to: SocketAddr, path: &str) -> Step {
    let say = format!(
        "GET {path} HTTP/1.1\r\nHost: {to}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    Step { say: say.into_bytes(), hear: super::http::head }
}

/// A frame with a text. The mask is zero, which is one of those that are allowed: what it costs the
/// server is the same.
pub(crate) fn text(text: &str) -> Vec<u8> {
    let mut frame = head(text.len());
    frame.extend_from_slice(text.as_bytes());
    frame
}

/// What comes before a text of so many bytes.
pub(crate) fn head(length: usize) -> Vec<u8> {
    let mut head = vec![0x81];
    match u16::try_from(length).expect("texts are short") {
        length @ 0..126 => head.push(0x80 | length as u8),
        length => {
            head.push(0x80 | 126);
            head.extend_from_slice(&length.to_be_bytes());
        }
    }
    head.extend_from_slice(&[0; 4]);
    head
}

/// Finds the end of a frame of a server, which has no mask.
pub(crate) fn frame(bytes: &[u8]) -> Framed {
    let (head, payload) = match bytes {
        [_, 126, high, low, ..] => (4, usize::from(u16::from_be_bytes([*high, *low]))),
        [_, 126 | 127, ..] => return Framed::Part,
        [_, length, ..] => (2, usize::from(*length)),
        _ => return Framed::Part,
    };
    let length = head + payload;
    if bytes.len() < length {
        Framed::Part
    } else if bytes[0] & 0xf >= CONTROL {
        Framed::Skip(length)
    } else {
        Framed::Whole(length)
    }
}

/// The text of a frame of a server.
pub(crate) fn payload(frame: &[u8]) -> &str {
    let head = if frame.get(1) == Some(&126) { 4 } else { 2 };
    std::str::from_utf8(&frame[head..]).expect("frames are texts")
}
