//! Servers that store what they are given before they say that they have it.

use assent_bench_harness::Request;

use super::{
    assent::{Relay, Way},
    postgres::Postgres,
    redis::Redis,
    synapse::Synapse,
};
use crate::{pool::Opening, server::Server};

/// A server that stores messages, for many senders.
pub(crate) trait Appender {
    /// The processes whose CPU time counts.
    fn servers(&self) -> Vec<&Server>;

    /// How a sender begins.
    fn opening(&self, sender: usize) -> Opening;

    /// Writes the message of a sender with a number: `body`, or something that holds it.
    fn write(&self, sender: usize, number: usize, body: &str, out: &mut Vec<u8>);

    /// Whether a message was accepted.
    fn is_accepted(&self, reply: &[u8]) -> bool;

    /// Kills the server, starts it again, and counts the messages that it has.
    fn found_after_crash(&mut self, request: &Request) -> usize;
}

/// The server of a peer that stores.
pub(crate) fn appender(request: &Request, senders: usize) -> Option<Box<dyn Appender>> {
    match request.peer.as_str() {
        "assent-serve" => Some(Box::new(Relay::new(Way::Socket, request, senders, None))),
        "assent-http" => Some(Box::new(Relay::new(Way::Requests, request, senders, None))),
        "assent-postgres" => {
            let postgres = Some(Postgres::start(request));
            Some(Box::new(Relay::new(Way::Socket, request, senders, postgres)))
        }
        "postgres" => Some(Box::new(Postgres::start(request).with_tables())),
        "synapse" => Some(Box::new(Synapse::start(request, senders))),
        "redis" => Some(Box::new(Redis::start(request))),
        _ => None,
    }
}
