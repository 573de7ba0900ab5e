//! Capability manifests: what an agent declares that it may ask a person's device to do.
//!
//! - [`check()`] finds everything that is wrong with one, and computes its hash.
//! - [`diff()`] tells what changed from one to the next, whether people must be asked again, and
//!   proves it with an input that used to work.

mod check;
mod code;
mod diff;
mod rule_set;

pub use check::{
    CheckOptions, Finding, LARGE_MANIFEST_BYTES, MAX_MANIFEST_BYTES, Report, check, check_document,
};
pub use code::Code;
pub use diff::{Change, ChangeKind, Diff, DiffError, Rule, Side, diff};
pub use rule_set::RuleSet;
