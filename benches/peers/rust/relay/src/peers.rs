//! The servers, and how their clients talk.

pub(crate) mod assent;
pub(crate) mod durable;
pub(crate) mod nats;
mod postgres;
pub(crate) mod raw_tcp;
mod redis;
mod synapse;
pub(crate) mod uwebsockets;

use assent_bench_harness::Request;

use crate::{pool::Opening, server::Server};

/// A server whose clients each say something and get an answer.
pub(crate) struct Talk {
    pub(crate) server: Server,
    /// How the client with a number begins.
    pub(crate) opening: Box<dyn Fn(usize) -> Opening>,
    /// What a client says each time.
    pub(crate) request: Vec<u8>,
    /// What must not end before the server does.
    pub(crate) _kept: Option<assent::Ground>,
}

/// A server that gives what one client says to many.
pub(crate) struct Topic {
    pub(crate) server: Server,
    pub(crate) subscriber: Opening,
    pub(crate) publisher: Opening,
    /// The publication with a number.
    pub(crate) publication: Box<dyn Fn(usize) -> Vec<u8>>,
    pub(crate) _kept: Option<assent::Ground>,
}

/// The server of a peer whose clients talk.
pub(crate) fn talk(request: &Request) -> Option<Talk> {
    match request.peer.as_str() {
        "assent-serve" => Some(assent::talk(request)),
        "uwebsockets" => Some(uwebsockets::talk(request)),
        "raw-tcp" => Some(raw_tcp::talk()),
        "nats-server" => Some(nats::talk(request)),
        _ => None,
    }
}

/// The server of a peer that publishes.
pub(crate) fn topic(request: &Request) -> Option<Topic> {
    match request.peer.as_str() {
        "assent-serve" => Some(assent::topic(request)),
        "uwebsockets" => Some(uwebsockets::topic(request)),
        _ => None,
    }
}
