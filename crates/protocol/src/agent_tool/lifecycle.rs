//! The path of one call through its states.

use super::{InvocationStatus, StatusTransition};
use crate::wire::{Open, Timestamp};

/// Where a call is and how it got there.
///
/// INVARIANT: it began as `planned`, and each step is one that [`InvocationStatus::can_become`] admits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifecycle {
    past: Vec<(InvocationStatus, Timestamp)>,
    current: (InvocationStatus, Timestamp),
}

/// A step that the state machine does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a call that is `{from}` cannot become `{to}`")]
pub struct IllegalTransition {
    /// The state of the call.
    pub from: InvocationStatus,
    /// The requested state.
    pub to: InvocationStatus,
}

/// A list of transitions that no call can have gone through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LifecycleError {
    /// It does not begin with `planned`.
    #[error("a call begins as `planned`")]
    Beginning,
    /// A state has an unknown name.
    #[error("`{0}` is not a state of a call")]
    UnknownStatus(String),
    /// A step is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalTransition),
}

impl Lifecycle {
    /// A call that has just been asked for.
    #[must_use]
    pub fn planned(at: Timestamp) -> Self {
        Self { past: Vec::new(), current: (InvocationStatus::Planned, at) }
    }

    /// The path that a record tells of.
    ///
    /// # Errors
    /// If no call can have gone that way.
    pub fn replay(transitions: &[StatusTransition]) -> Result<Self, LifecycleError> {
        let (first, rest) = transitions.split_first().ok_or(LifecycleError::Beginning)?;
        if first.status != InvocationStatus::Planned {
            return Err(LifecycleError::Beginning);
        }
        let mut lifecycle = Self::planned(first.at.clone());
        for step in rest {
            let Open::Known(status) = step.status else {
                return Err(LifecycleError::UnknownStatus(step.status.to_string()));
            };
            lifecycle.advance(status, step.at.clone())?;
        }
        Ok(lifecycle)
    }

    /// The state of the call.
    #[must_use]
    pub fn status(&self) -> InvocationStatus {
        self.current.0
    }

    /// Moves the call to the state `to`.
    ///
    /// # Errors
    /// If the transition is not allowed. The call is not changed then.
    pub fn advance(
        &mut self,
        to: InvocationStatus,
        at: Timestamp,
    ) -> Result<(), IllegalTransition> {
        let from = self.status();
        if !from.can_become(to) {
            return Err(IllegalTransition { from, to });
        }
        self.past.push(std::mem::replace(&mut self.current, (to, at)));
        Ok(())
    }

    /// Every state the call was in, as the record holds them.
    #[must_use]
    pub fn transitions(&self) -> Vec<StatusTransition> {
        self.steps().map(|(status, at)| StatusTransition::new(*status, at.clone())).collect()
    }

    /// When the call first ran.
    #[must_use]
    pub fn started_at(&self) -> Option<&Timestamp> {
        self.steps().find(|(status, _)| *status == InvocationStatus::Running).map(|(_, at)| at)
    }

    /// When the call ended; set exactly if it has.
    #[must_use]
    pub fn ended_at(&self) -> Option<&Timestamp> {
        self.status().is_terminal().then_some(&self.current.1)
    }

    fn steps(&self) -> impl Iterator<Item = &(InvocationStatus, Timestamp)> {
        self.past.iter().chain([&self.current])
    }
}
