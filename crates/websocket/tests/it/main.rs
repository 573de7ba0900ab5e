//! The server's side of the protocol, seen from the other side.

mod client;
mod reader;
mod socket;
