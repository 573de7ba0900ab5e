//! The stricter profile that Assent's own records keep.
//!
//! The published schemas admit empty ids, any text as a time, an error without a class. A record that
//! we write has none of that; a record of another producer can be measured with the same rules.

mod checker;
mod contracts;
mod declaration;
mod deferred_tool;
mod error;
mod event;
mod execution_profile;
mod hook;
mod input_mutation;
mod interface;
mod invocation;
mod permission_decision;
mod permission_profile;
mod progress;
mod result;
mod result_persistence;
mod scheduler_policy;
mod search_result;
mod surface;

use checker::Checker;

/// A record that can be measured with the stricter rules.
pub trait Strict {
    /// All that is wrong with it; empty if nothing is.
    fn problems(&self) -> Vec<Problem>;
}

/// Something that is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where, as a JSON Pointer into the record.
    pub pointer: String,
    /// The problem.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.pointer, self.message)
    }
}
