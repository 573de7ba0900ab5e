//! What is said on connections, byte by byte.

pub(crate) mod http;
pub(crate) mod nats;
pub(crate) mod postgres;
pub(crate) mod redis;
pub(crate) mod websocket;

use crate::pool::Framed;

/// A reply that is a line.
pub(crate) fn line(bytes: &[u8]) -> Framed {
    match bytes.windows(2).position(|pair| pair == b"\r\n") {
        Some(end) => Framed::Whole(end + 2),
        None => Framed::Part,
    }
}
