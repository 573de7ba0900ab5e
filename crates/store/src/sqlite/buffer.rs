//! The write-behind buffer of a file, if it has one, as the writer thread uses it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use super::{at_once, session};
use crate::{BufferFuture, StoreError, Tx, WriteBehind};

/// A write-behind buffer, or none.
pub(super) struct Buffer(Option<Arc<dyn WriteBehind>>);

impl Buffer {
    pub(super) fn new(buffer: Option<Arc<dyn WriteBehind>>) -> Self {
        Self(buffer)
    }

    /// Flushes what was stored before the file was opened.
    pub(super) fn recover(&self, tx: &mut Tx) -> Result<(), StoreError> {
        if self.0.is_none() {
            return Ok(());
        }
        session(tx)?.begin()?;
        self.load(tx)?;
        self.flush(tx)?;
        session(tx)?.commit()?;
        self.committed();
        Ok(())
    }

    pub(super) fn load(&self, tx: &mut Tx) -> Result<(), StoreError> {
        self.0.as_ref().map_or(Ok(()), |buffer| finish(buffer.load(tx)))
    }

    pub(super) fn flush(&self, tx: &mut Tx) -> Result<(), StoreError> {
        self.0.as_ref().map_or(Ok(()), |buffer| finish(buffer.flush(tx)))
    }

    pub(super) fn before_commit(&self, tx: &mut Tx) -> Result<(), StoreError> {
        self.0.as_ref().map_or(Ok(()), |buffer| finish(buffer.before_commit(tx)))
    }

    pub(super) fn committed(&self) {
        if let Some(buffer) = &self.0 {
            buffer.committed();
        }
    }

    pub(super) fn rolled_back(&self) {
        if let Some(buffer) = &self.0 {
            buffer.rolled_back();
        }
    }

    /// How long the buffer may keep its content without further writes; `None` if it is empty.
    pub(super) fn max_delay(&self) -> Option<Duration> {
        self.0.as_ref().filter(|buffer| !buffer.is_empty()).map(|buffer| buffer.max_delay())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|buffer| buffer.is_empty())
    }
}

/// Runs a step of the buffer. One that panics fails its transaction only.
fn finish(step: BufferFuture<'_>) -> Result<(), StoreError> {
    match catch_unwind(AssertUnwindSafe(|| at_once(step))) {
        Ok(Some(done)) => done,
        Ok(None) => Err(StoreError::WaitedOutside),
        Err(_) => Err(StoreError::Refused("a write-behind buffer panicked".to_owned())),
    }
}
