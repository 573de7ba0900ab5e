//! Arguments as the tools read them.

use assent_json::Json;
use assent_protocol::agent_tool::ErrorClass;
use assent_runtime::{Failure, Refusal};
use serde::de::DeserializeOwned;

/// Reads arguments strictly. A declared schema may accept more than the tool does.
pub(crate) fn read<T: DeserializeOwned>(input: &Json) -> Result<T, Refusal> {
    // In the canonical form, `1.0` is an integer. The error of the library could repeat a value.
    serde_json::from_slice(&input.root().canonical())
        .map_err(|_| invalid("an argument is missing, is not known, or has a wrong type or value"))
}

pub(crate) fn invalid(message: impl Into<String>) -> Refusal {
    Refusal { class: ErrorClass::InvalidArguments, message: message.into() }
}

pub(crate) fn outside(message: impl Into<String>) -> Refusal {
    Refusal { class: ErrorClass::SandboxViolation, message: message.into() }
}

pub(crate) fn not_set_up(message: impl Into<String>) -> Refusal {
    Refusal { class: ErrorClass::SetupRequired, message: message.into() }
}

/// The failure of a call whose preflight would refuse it now.
pub(crate) fn failure(refusal: Refusal) -> Failure {
    Failure::new(refusal.class, refusal.message)
}
