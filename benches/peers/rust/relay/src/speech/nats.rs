//! The protocol of NATS, as a client that only wants to be there.

use crate::pool::{Framed, Step};

/// The server speaks first; a ping shows that it has read what the client said.
pub(crate) fn hello() -> Vec<Step> {
    let connect = "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nPING\r\n";
    vec![
        Step { say: Vec::new(), hear: super::line },
        Step { say: connect.as_bytes().to_vec(), hear: pong },
    ]
}

/// The server pings whoever is new, and answers our own ping.
pub(crate) fn pong(bytes: &[u8]) -> Framed {
    match super::line(bytes) {
        Framed::Whole(length) if bytes.starts_with(b"PING") => Framed::Skip(length),
        framed => framed,
    }
}
