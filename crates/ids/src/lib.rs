//! Newtypes of every identifier and name.
//!
//! * [`generated`]: ids that Assent generates, `prefix_` + ULID; they are `Copy` and sort by time.
//! * [`names`]: names that producers give to tools, scopes and calls; checked strings.
//! * [`Principal`]: the id of a person or an agent.
//! * [`Lax`]: an id in a record of another producer; any text is read, only checked ids are written.
//! * [`sequence`]: numbers of events and messages.
//! * [`Table`]: a hash table by id or name.
//! * [`Clock`], [`Entropy`]: sources of time and randomness; [`Minter`] generates ids from both.
//!
//! Invariant: only [`SystemClock`], [`Counter`] and [`SystemEntropy`] read the time or randomness, so
//! every id of a run can be reproduced with [`deterministic`].

mod clock;
pub mod deterministic;
mod entropy;
mod error;
pub mod generated;
mod id_macro;
mod lax;
mod minter;
pub mod names;
mod principal;
mod schema;
pub mod sequence;
mod steady;
mod table;
mod ulid;
mod validate;

pub use clock::{Clock, SystemClock, UnixMillis};
pub use entropy::{Entropy, EntropyError, SystemEntropy};
pub use error::{Fault, ParseIdError};
pub use generated::*;
pub use lax::{Lax, Written};
pub use minter::Minter;
pub use names::*;
pub use principal::Principal;
pub use sequence::{ConversationSeq, EventSeq};
pub use steady::{Counter, SteadyClock, Ticks};
pub use table::Table;
pub use ulid::Ulid;
