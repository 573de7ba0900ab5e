//! Whether a change of the conversation's context is applied that a call requests.
//!
//! The changes of calls that ran concurrently have no order. They are never applied in the order in which the
//! calls happened to end: they are refused, or deferred until the batch is complete.

use assent_protocol::agent_tool::{ContextModifierPolicy, ToolResult};
use serde_json::{Value, json};

/// The field of a result for a change: the standard has none.
pub(crate) const FIELD: &str = "context_modifier";

/// What happens to a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContextRuling {
    /// It is applied now.
    Apply,
    /// It is applied when the batch is complete, in the model's order of the calls.
    Defer,
    /// It is not applied.
    Reject(ContextRefusal),
}

/// Why a change is not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ContextRefusal {
    /// The policy forbids all changes.
    #[error("the scheduler policy forbids changes of the context")]
    Forbidden,
    /// The call ran concurrently with others, so the changes have no order.
    #[error(
        "the call ran beside others, and only calls that run alone may change the context under the \
         scheduler policy"
    )]
    RanBesideOthers,
}

impl ContextRuling {
    fn word(self) -> &'static str {
        match self {
            Self::Apply => "apply",
            Self::Defer => "defer",
            Self::Reject(_) => "reject",
        }
    }

    /// The note about a change in a result.
    pub(crate) fn note(self, modifier: &Value) -> Value {
        match self {
            Self::Apply | Self::Defer => json!({"modifier": modifier, "ruling": self.word()}),
            Self::Reject(refusal) => json!({"ruling": self.word(), "reason": refusal.to_string()}),
        }
    }

    /// The change in a result, if it has this ruling.
    #[must_use]
    pub(crate) fn modifier_of(self, result: &ToolResult) -> Option<&Value> {
        let note = result.extra.get(FIELD)?;
        let ruling = note.get("ruling").and_then(Value::as_str)?;
        note.get("modifier").filter(|_| ruling == self.word())
    }
}

/// Decides whether a change is applied.
#[must_use]
pub(crate) fn rule(policy: ContextModifierPolicy, ran_alone: bool) -> ContextRuling {
    match policy {
        ContextModifierPolicy::Forbid => ContextRuling::Reject(ContextRefusal::Forbidden),
        ContextModifierPolicy::AllowSerialOnly if ran_alone => ContextRuling::Apply,
        ContextModifierPolicy::AllowSerialOnly => {
            ContextRuling::Reject(ContextRefusal::RanBesideOthers)
        }
        ContextModifierPolicy::DeferUntilBatchComplete => ContextRuling::Defer,
    }
}

#[cfg(test)]
mod tests;
