//! Newtypes of every identifier and name.
//!
//! * [`generated`]: ids that Assent makes, `prefix_` + ULID; they are `Copy` and sort by time.
//! * [`names`]: names that others give (tools, scopes, calls); checked strings.
//! * [`Lax`]: an id inside a record of another producer; reads any text, is made only from a checked id.
//! * [`sequence`]: numbers that count something per recipient or per conversation.
//! * [`Table`]: looks up by id or name.
//! * [`Clock`], [`Entropy`]: where time and randomness come from; [`Minter`] makes ids from both.
//!
//! Invariant: nothing here asks for the time or for randomness except [`SystemClock`], [`Counter`] and
//! [`SystemEntropy`], so every id of a run can be replayed with [`deterministic`].

mod clock;
pub mod deterministic;
mod entropy;
mod error;
pub mod generated;
mod id_macro;
mod lax;
mod minter;
pub mod names;
mod schema;
pub mod sequence;
mod steady;
mod table;
mod text;
mod ulid;
mod validate;

pub use clock::{Clock, SystemClock, UnixMillis};
pub use entropy::{Entropy, EntropyError, SystemEntropy};
pub use error::{Fault, ParseIdError};
pub use generated::*;
pub use lax::{Lax, Written};
pub use minter::Minter;
pub use names::*;
pub use sequence::{ConversationSeq, EventSeq};
pub use steady::{Counter, SteadyClock, Ticks};
pub use table::{Folded, Folding, Table};
pub use text::Text;
pub use ulid::Ulid;
