//! Sealed messages of a device or an agent: its identity, its peers, its inbox and its outbox, in one database.
//!
//! * [`Mailbox::receive`] opens what the relay delivered. The state of the session, the message and the number of
//!   the event are stored in one transaction, so that every event is stored once.
//! * [`Mailbox::next_entry`] hands out what was stored, in order, until [`Mailbox::remove_entry`] says that it was
//!   handled.
//! * [`Mailbox::enqueue`] stores a message to send inside of the caller's transaction. [`Mailbox::seal_next`] seals
//!   it, and [`Mailbox::next_sealed`] hands out the same bytes until the relay has acknowledged them.
//!
//! * [`MailboxSync`] does all of that with a relay. The owner reads the inbox and fills the outbox.
//!
//! Everything except ids and numbers is encrypted under a [`StorageKey`](assent_sealing::StorageKey).
//!
//! **Invariant:** a refused envelope changes no session, and is recorded once.
//!
//! **Invariant:** the state of a session is stored before an envelope that was sealed with it leaves.

mod error;
mod identity;
mod inbox;
mod key_file;
mod mailbox;
mod on_relay;
mod outbox;
mod peers;
mod receive;
mod seal_next;
mod sealed_row;
mod sync;

pub use error::MailboxError;
pub use inbox::{InboxEntry, Opened, Received, Refused};
pub use key_file::open_key_file;
pub use mailbox::{Mailbox, OwnState, TABLES};
pub use on_relay::{agent_peer, device_peer};
pub use outbox::{OutboxState, OutgoingMessage, RefusedMessage, SealedMessage};
pub use seal_next::{KEYS_CHANGED, Sealing};
pub use sync::{DelegateFuture, MailboxSync, SyncDelegate, SyncStatus};
