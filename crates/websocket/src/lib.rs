//! The server's side of the WebSocket protocol (RFC 6455), for very many connections that are mostly
//! silent.
//!
//! A connection that is silent holds no buffers: what arrives is read onto the stack, and only the parts
//! of a message that is not complete yet are kept. What leaves is encoded once, as a [`Frame`], however
//! many connections it goes to, and nothing is kept of it once the kernel has it. Why this is ours and not
//! a library: `docs/decisions/0012-a-silent-connection-holds-no-buffers.md`.
//!
//! - [`Reader`] turns bytes into messages, without any input or output of its own. It refuses everything
//!   that the protocol forbids, as early as that is known.
//! - [`Frame`] is what is sent.
//! - [`Socket`] puts both on a stream. It answers nothing by itself: the code that reads a [`Message::Ping`]
//!   sends the pong, so that reading can be given up at any moment without losing anything.
//!   Where the two directions of a stream have different owners, it reads one and [`send_all`] writes the other.
//! - [`accept_key`] is the handshake's part of the protocol; the rest of it is HTTP.
//!
//! No extension is negotiated, so no bit of one is accepted.

mod close_code;
mod frame;
mod handshake;
mod head;
mod message;
mod reader;
mod send;
mod socket;
mod unmask;
mod violation;

pub use close_code::CloseCode;
pub use frame::Frame;
pub use handshake::accept_key;
pub use message::Message;
pub use reader::Reader;
pub use send::send_all;
pub use socket::{Error, Socket};
pub use violation::Violation;
