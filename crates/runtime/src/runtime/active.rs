//! The calls that are on their way.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use assent_ids::{GeneratedId, InvocationId};
use assent_protocol::agent_tool::ToolResult;

use crate::{control::Control, pipeline::Stop, scheduler::Ended};

/// So many tables there are, so that calls hardly ever wait for each other at a door.
const TABLES: usize = 16;

type Table = BTreeMap<InvocationId, Arc<Control>>;

/// Every call that has been asked for and has not ended.
#[derive(Debug, Default)]
pub(super) struct Active {
    /// A call is in the table that the last bits of its id name, which are random.
    tables: [Mutex<Table>; TABLES],
}

/// How a call comes in.
pub(super) enum Entrance {
    /// Nobody has asked for it before, or nobody can tell: then it must not run.
    New(Option<Stop>),
    /// A crash interrupted it, and nobody has taken it up.
    Interrupted,
    /// It is on its way.
    Running(Arc<Control>),
    /// It has ended, and how.
    Ended(Arc<ToolResult>, Ended),
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
        let mut calls = self.table(invocation);
        if let Some(running) = calls.get(&invocation) {
            return Err(Arc::clone(running));
        }
        calls.insert(invocation, Arc::clone(control));
        Ok(())
    }

    pub(super) fn leave(&self, invocation: InvocationId) {
        self.table(invocation).remove(&invocation);
    }

    pub(super) fn leaving(&self, invocation: InvocationId) -> Leaving<'_> {
        Leaving { active: self, invocation }
    }

    pub(super) fn get(&self, invocation: InvocationId) -> Option<Arc<Control>> {
        self.table(invocation).get(&invocation).cloned()
    }

    /// All calls, oldest first.
    pub(super) fn all(&self) -> Vec<Arc<Control>> {
        let mut all = BTreeMap::new();
        for table in &self.tables {
            all.extend(lock(table).iter().map(|(call, control)| (*call, Arc::clone(control))));
        }
        all.into_values().collect()
    }

    fn table(&self, invocation: InvocationId) -> MutexGuard<'_, Table> {
        let [first, others @ ..] = &self.tables;
        let number = invocation.ulid().bits() % TABLES as u128;
        let other =
            usize::try_from(number).ok().and_then(|number| others.get(number.wrapping_sub(1)));
        lock(other.unwrap_or(first))
    }
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    // A map operation either happens or does not.
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.active.leave(self.invocation);
    }
}
