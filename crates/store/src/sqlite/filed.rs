//! The tray of a file, if it has one, as the thread that writes handles it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use super::{at_once, session};
use crate::{Filing, StoreError, Tray, Tx};

/// A tray, or none.
pub(super) struct Filed(Option<Arc<dyn Tray>>);

impl Filed {
    pub(super) fn new(tray: Option<Arc<dyn Tray>>) -> Self {
        Self(tray)
    }

    /// Files what was written down before the file was opened.
    pub(super) fn find(&self, tx: &mut Tx) -> Result<(), StoreError> {
        if self.0.is_none() {
            return Ok(());
        }
        session(tx)?.begin()?;
        self.recall(tx)?;
        self.file(tx)?;
        session(tx)?.commit()?;
        self.keep();
        Ok(())
    }

    pub(super) fn recall(&self, tx: &mut Tx) -> Result<(), StoreError> {
        self.0.as_ref().map_or(Ok(()), |tray| done(tray.recall(tx)))
    }

    pub(super) fn file(&self, tx: &mut Tx) -> Result<(), StoreError> {
        self.0.as_ref().map_or(Ok(()), |tray| done(tray.file(tx)))
    }

    pub(super) fn close(&self, tx: &mut Tx) -> Result<(), StoreError> {
        self.0.as_ref().map_or(Ok(()), |tray| done(tray.close(tx)))
    }

    pub(super) fn keep(&self) {
        if let Some(tray) = &self.0 {
            tray.keep();
        }
    }

    pub(super) fn undo(&self) {
        if let Some(tray) = &self.0 {
            tray.undo();
        }
    }

    /// How long to wait for others before what is in the tray is filed; nothing if it is empty.
    pub(super) fn patience(&self) -> Option<Duration> {
        self.0.as_ref().filter(|tray| !tray.is_empty()).map(|tray| tray.patience())
    }

    pub(super) fn is_everything(&self) -> bool {
        self.0.as_ref().is_none_or(|tray| tray.is_empty())
    }
}

/// A tray that panics fails a transaction, and does not end everybody's storage.
fn done(filing: Filing<'_>) -> Result<(), StoreError> {
    match catch_unwind(AssertUnwindSafe(|| at_once(filing))) {
        Ok(Some(done)) => done,
        Ok(None) => Err(StoreError::WaitedOutside),
        Err(_) => Err(StoreError::Refused("a tray panicked".to_owned())),
    }
}
