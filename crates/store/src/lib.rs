//! Storage for the services: units of work that are written once and run on either database.
//!
//! - [`Work`] is a unit of work: it runs whole or not at all, and may be run again from its beginning.
//! - [`Database::write`] answers only when the work is durable. On SQLite one thread commits all
//!   works that wait at that moment; on PostgreSQL every work has a transaction of its own.
//! - [`Tx`] is what a work sees: statements with `$1` parameters in the common language of both
//!   databases, and [`Tx::lock`] for what a statement alone cannot make exclusive.
//! - [`WriteBehind`] is a buffer for the changes of a very frequent work, on SQLite.
//! - [`Migration`]s are only ever added; one that changed after it was applied is refused.
//!
//! Invariant: an error of the disk or of the network is [`StoreError::Unavailable`] and never an
//! acknowledgement; what was written is then either there as a whole or not at all, so senders repeat
//! what they sent under the same id.

mod database;
mod error;
mod location;
mod migration;
mod postgres;
mod probe;
mod row;
mod sqlite;
mod tx;
mod value;
mod work;
mod write_behind;

pub use database::{Database, Dialect, Health};
pub use error::{OpenError, StoreError};
pub use location::{Location, LocationError};
pub use migration::Migration;
pub use postgres::Listener;
pub use probe::Reached;
pub use row::{FromValue, Row};
pub use tx::Tx;
pub use value::Value;
pub use work::Work;
pub use write_behind::{BufferFuture, WriteBehind};
