//! What an interruption does to a call.

use assent_protocol::agent_tool::InterruptBehavior;

/// What is known about a call when somebody interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interruptible {
    /// What the call itself says.
    pub invocation: Option<InterruptBehavior>,
    /// What its tool says.
    pub interface: Option<InterruptBehavior>,
    /// What the policy of its batch says; `block` where there is none.
    pub policy: InterruptBehavior,
    /// Whether its executor can be stopped.
    pub supports_cancel: bool,
    /// Whether its executor was started.
    pub executing: bool,
}

/// What happens to the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnInterrupt {
    /// It is stopped.
    Cancel,
    /// It goes on, and what comes next waits for it.
    Block,
    /// It should be stopped and cannot be: as [`OnInterrupt::Block`], and `cancel_failed` is recorded.
    CannotCancel,
}

/// What an interruption does: the call's own word counts more than its tool's, and that more than the
/// policy's.
#[must_use]
pub fn on_interrupt(call: &Interruptible) -> OnInterrupt {
    match call.invocation.or(call.interface).unwrap_or(call.policy) {
        InterruptBehavior::Cancel => on_cancel(call.supports_cancel, call.executing),
        InterruptBehavior::Block => OnInterrupt::Block,
    }
}

/// What it does if somebody wants exactly this call stopped, whatever interruptions do to it. A call
/// whose executor was not started can always be stopped.
#[must_use]
pub fn on_cancel(supports_cancel: bool, executing: bool) -> OnInterrupt {
    if supports_cancel || !executing { OnInterrupt::Cancel } else { OnInterrupt::CannotCancel }
}

#[cfg(test)]
mod tests;
