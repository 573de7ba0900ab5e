//! Requests to stop a call, and their outcome.

use assent_journal::Fact;
use assent_protocol::agent_tool::AbortReason;

use super::Trail;
use crate::pipeline::emit;

/// The first request to stop the call.
#[derive(Default)]
pub(crate) struct Cancellation {
    pub(super) reason: Option<AbortReason>,
    /// The outcome of the request is recorded.
    pub(super) is_settled: bool,
}

impl Trail {
    /// Records the first request to stop the call, with the current time.
    pub(crate) fn cancel_requested(&mut self, reason: AbortReason) {
        if self.cancellation.reason.is_none() {
            self.update_time();
            self.cancellation.reason = Some(reason);
            self.record(Fact::CancelRequested { reason });
        }
    }

    /// Records that the call continues although it was asked to stop.
    pub(crate) fn cancel_failed(&mut self, why: &str) {
        let is_requested = self.cancellation.reason.is_some();
        if is_requested && !std::mem::replace(&mut self.cancellation.is_settled, true) {
            self.record(Fact::CancelFailed { message: why.to_owned() });
        }
    }

    /// Records a request to stop that came after the tool had finished.
    pub(crate) fn note_late_cancel(&mut self, requested: Option<AbortReason>) {
        if let Some(reason) = requested.filter(|_| self.cancellation.reason.is_none()) {
            self.cancel_requested(reason);
            self.cancel_failed("it had finished before it could be stopped");
        }
    }

    /// Records that the executor stops.
    pub(crate) fn cancel_acknowledged(&mut self) {
        if !std::mem::replace(&mut self.cancellation.is_settled, true) {
            self.record(Fact::CancelAcknowledged);
        }
    }

    /// Why the call was asked to stop.
    pub(crate) fn cancel_reason(&self) -> Option<AbortReason> {
        self.cancellation.reason
    }
}

/// A call whose future is dropped has ended, and the journal records that.
impl Drop for Trail {
    fn drop(&mut self) {
        if !self.writer.is_finished() {
            emit::abandoned(self);
        }
    }
}
