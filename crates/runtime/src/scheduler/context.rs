//! Whether a change of the conversation's context counts, which a call asks for.
//!
//! Changes of calls that ran beside each other have no order of their own. They are never made in the
//! order in which calls happened to end: they are refused, or wait for the batch.

use assent_protocol::agent_tool::{ContextModifierPolicy, ToolResult};
use serde_json::{Value, json};

/// Where a result tells of a change: the standard has no field for it.
pub(crate) const FIELD: &str = "context_modifier";

/// What becomes of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContextRuling {
    /// It is made now.
    Apply,
    /// It is made when the batch is complete, in the model's order of the calls.
    Defer,
    /// It is not made.
    Reject(ContextRefusal),
}

/// Why a change is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ContextRefusal {
    /// The policy forbids all.
    #[error("the scheduler policy forbids changes of the context")]
    Forbidden,
    /// It would be in no order with those of other calls.
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

    /// How a result tells of a change.
    pub(crate) fn note(self, modifier: &Value) -> Value {
        match self {
            Self::Apply | Self::Defer => json!({"modifier": modifier, "ruling": self.word()}),
            Self::Reject(refusal) => json!({"ruling": self.word(), "reason": refusal.to_string()}),
        }
    }

    /// The change that a result tells of, if this is what becomes of it.
    #[must_use]
    pub(crate) fn modifier_of(self, result: &ToolResult) -> Option<&Value> {
        let note = result.extra.get(FIELD)?;
        let ruling = note.get("ruling").and_then(Value::as_str)?;
        note.get("modifier").filter(|_| ruling == self.word())
    }
}

/// Rules on a change.
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
