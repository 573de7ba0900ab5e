//! The calls that are on their way.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
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
    /// How many calls were given up by whoever waited for them.
    given_up: AtomicU64,
    /// Of how many of them it is known that the journal holds how they ended.
    settled: AtomicU64,
}

/// How a call comes in.
pub(super) enum Entrance {
    /// Nobody has asked for it before, or nobody can tell: then it must not run.
    New(Leaving, Option<Box<Stop>>),
    /// A crash interrupted it, and nobody has taken it up.
    Interrupted(Leaving),
    /// It has ended, and how.
    Ended(Arc<ToolResult>, Ended),
}

/// A call that is on its way. Dropped, for whatever reason, it takes the call out; without a result, whoever waits
/// for one is told that there will be none from here.
#[derive(Debug)]
pub(super) struct Leaving {
    active: Arc<Active>,
    invocation: InvocationId,
    control: Arc<Control>,
}

impl Active {
    /// Takes a call in.
    ///
    /// # Errors
    /// The call with that id that is already here.
    pub(super) fn enter(
        self: &Arc<Self>,
        invocation: InvocationId,
        control: &Arc<Control>,
    ) -> Result<Leaving, Arc<Control>> {
        let mut calls = self.table(invocation);
        if let Some(running) = calls.get(&invocation) {
            return Err(Arc::clone(running));
        }
        calls.insert(invocation, Arc::clone(control));
        Ok(Leaving { active: Arc::clone(self), invocation, control: Arc::clone(control) })
    }

    /// How many calls have been given up of which nobody has seen yet that the journal holds their end.
    pub(super) fn unsettled(&self) -> Option<u64> {
        let given_up = self.given_up.load(Ordering::Acquire);
        (self.settled.load(Ordering::Acquire) < given_up).then_some(given_up)
    }

    /// The journal holds the end of the first `count` calls that were given up.
    pub(super) fn settle(&self, count: u64) {
        self.settled.fetch_max(count, Ordering::AcqRel);
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

impl Leaving {
    /// The call.
    pub(super) fn invocation(&self) -> InvocationId {
        self.invocation
    }

    /// Its wire.
    pub(super) fn control(&self) -> &Arc<Control> {
        &self.control
    }
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    // A map operation either happens or does not.
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let is_given_up = !self.control.has_result();
        // Counted before it is out: who comes next has to know that its end may not be durable yet.
        if is_given_up {
            self.active.given_up.fetch_add(1, Ordering::AcqRel);
        }
        self.active.table(self.invocation).remove(&self.invocation);
        if is_given_up {
            self.control.give_up();
        }
    }
}
