//! What must be true in the end.

use std::collections::BTreeMap;

use assent_ids::CallId;
use assent_protocol::agent_tool::{ErrorClass, TerminalStatus};
use serde_json::Value;

/// Something that must be true in the end.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// About one call.
    Call(CallExpectation),
    /// How often each of these tools was executed, by name or `namespace/name`.
    Executed(BTreeMap<String, u64>),
    /// In which order the results of calls were released.
    Delivered(Vec<CallId>),
}

/// What must be true of one call; at least one of the options is there.
#[derive(Clone, Debug, PartialEq)]
pub struct CallExpectation {
    /// The call.
    pub call: CallId,
    /// How it ends.
    pub status: Option<TerminalStatus>,
    /// With which kind of failure.
    pub error_class: Option<ErrorClass>,
    /// Whether its tool was executed.
    pub executed: Option<bool>,
    /// What its result contains somewhere.
    pub result_contains: Option<Value>,
}
