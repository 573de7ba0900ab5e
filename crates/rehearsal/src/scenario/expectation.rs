//! Expectations.

use std::collections::BTreeMap;

use assent_ids::CallId;
use assent_protocol::agent_tool::{ErrorClass, TerminalStatus};
use serde_json::Value;

/// An expectation about the outcome.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// The outcome of one call.
    Call(CallExpectation),
    /// The number of executions of tools, by name or `namespace/name`.
    Executed(BTreeMap<String, u64>),
    /// The order in which the results of calls were released.
    Delivered(Vec<CallId>),
}

/// The expected outcome of one call. At least one of the options is set.
#[derive(Clone, Debug, PartialEq)]
pub struct CallExpectation {
    /// The id of the call.
    pub call: CallId,
    /// The final status.
    pub status: Option<TerminalStatus>,
    /// The class of the error.
    pub error_class: Option<ErrorClass>,
    /// Whether the tool is executed.
    pub executed: Option<bool>,
    /// A value that the result contains.
    pub result_contains: Option<Value>,
}
