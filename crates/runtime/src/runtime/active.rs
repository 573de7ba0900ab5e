//! The calls that are on their way.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use assent_ids::InvocationId;
use assent_protocol::agent_tool::ToolResult;

use crate::{control::Control, pipeline::Stop};

/// Every call that has been asked for and has not ended.
#[derive(Debug, Default)]
pub(super) struct Active {
    calls: Mutex<BTreeMap<InvocationId, Arc<Control>>>,
}

/// How a call comes in.
pub(super) enum Entrance {
    /// Nobody has asked for it before, or nobody can tell: then it must not run.
    New(Option<Stop>),
    /// A crash interrupted it, and nobody has taken it up.
    Interrupted,
    /// It is on its way.
    Running(Arc<Control>),
    /// It has ended.
    Ended(Arc<ToolResult>),
}

/// Takes a call out when it is dropped, whatever the reason.
pub(super) struct Leaving<'a> {
    active: &'a Active,
    invocation: InvocationId,
}

impl Active {
    /// Takes a call in.
    ///
    /// # Errors
    /// The call with that id that is already here.
    pub(super) fn enter(
        &self,
        invocation: InvocationId,
        control: &Arc<Control>,
    ) -> Result<(), Arc<Control>> {
        let mut calls = self.lock();
        if let Some(running) = calls.get(&invocation) {
            return Err(Arc::clone(running));
        }
        calls.insert(invocation, Arc::clone(control));
        Ok(())
    }

    pub(super) fn leave(&self, invocation: InvocationId) {
        self.lock().remove(&invocation);
    }

    pub(super) fn leaving(&self, invocation: InvocationId) -> Leaving<'_> {
        Leaving { active: self, invocation }
    }

    pub(super) fn get(&self, invocation: InvocationId) -> Option<Arc<Control>> {
        self.lock().get(&invocation).cloned()
    }

    /// All calls, oldest first.
    pub(super) fn all(&self) -> Vec<Arc<Control>> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<InvocationId, Arc<Control>>> {
        // A map operation either happens or does not.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.active.leave(self.invocation);
    }
}
