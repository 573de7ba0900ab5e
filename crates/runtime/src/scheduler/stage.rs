//! The queue state of a call.

use std::sync::atomic::{AtomicU8, Ordering};

use assent_protocol::{agent_tool::QueueState, wire::Word};

/// The queue state of one call, as the number of a `QueueState`.
pub(super) struct Stage(AtomicU8);

impl Stage {
    pub(super) fn new() -> Self {
        Self(AtomicU8::new(QueueState::Queued as u8))
    }

    pub(super) fn get(&self) -> QueueState {
        read(self.0.load(Ordering::Relaxed))
    }

    /// Changes the state if the transition exists: only the first end counts, and a discarded call stays
    /// discarded.
    pub(super) fn advance(&self, next: QueueState) {
        let step = |state| leads(read(state), next).then_some(next as u8);
        let _unchanged = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step);
    }
}

fn leads(state: QueueState, next: QueueState) -> bool {
    match next {
        QueueState::Queued
        | QueueState::Executing
        | QueueState::Completed
        | QueueState::Discarded => matches!(state, QueueState::Queued | QueueState::Executing),
        QueueState::Yielded => state != QueueState::Discarded,
    }
}

fn read(number: u8) -> QueueState {
    let word = QueueState::WORDS.iter().find(|word| **word as u8 == number);
    word.copied().unwrap_or(QueueState::Queued)
}
