//! Callers that go away.

use super::Trail;
use crate::pipeline::emit;

/// A call that is dropped on its way has ended, and the journal says so.
impl Drop for Trail {
    fn drop(&mut self) {
        if !self.is_finished {
            emit::abandoned(self);
        }
    }
}
