//! The ledger: what a person granted to an agent, signed by the person's device and chained.
//!
//! The relay stores the chain and cannot forge it; agents and devices verify it. `docs/ledger.md` describes
//! the format, with a worked example.

mod chain;
mod entry;
mod relation_key;
mod signed;

pub use chain::{LedgerError, check_next};
pub use entry::{LedgerAction, LedgerEntry, MAX_GRANTED_SCOPES};
pub use relation_key::{NotARelationKey, RelationKey};
pub use signed::{LedgerRecord, SignatureError, SignedEntry};

/// The only version of ledger entries there is.
pub const LEDGER_VERSION: u64 = 1;
