//! Whether a change of the conversation's context counts, which a call asks for.
//!
//! Changes of calls that ran beside each other have no order of their own. They are never made in the
//! order in which calls happened to end: they are refused, or wait for the batch.

use assent_protocol::agent_tool::ContextModifierPolicy;

/// What becomes of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextRuling {
    /// It is made now.
    Apply,
    /// It is made when the batch is complete, in the model's order of the calls.
    Defer,
    /// It is not made.
    Reject(ContextRefusal),
}

/// Why a change is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContextRefusal {
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

/// Rules on a change by the policy of the batch and that of the call, if it has one. What either of
/// them demands is demanded.
#[must_use]
pub fn rule(
    batch: ContextModifierPolicy,
    call: Option<ContextModifierPolicy>,
    ran_alone: bool,
) -> ContextRuling {
    let says = |policy| batch == policy || call == Some(policy);
    if says(ContextModifierPolicy::Forbid) {
        ContextRuling::Reject(ContextRefusal::Forbidden)
    } else if says(ContextModifierPolicy::AllowSerialOnly) && !ran_alone {
        ContextRuling::Reject(ContextRefusal::RanBesideOthers)
    } else if says(ContextModifierPolicy::DeferUntilBatchComplete) {
        ContextRuling::Defer
    } else {
        ContextRuling::Apply
    }
}

#[cfg(test)]
mod tests;
