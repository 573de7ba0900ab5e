//! Who may run when, and in which order results come out.
//!
//! | question                                            | answered by    | pure |
//! |-----------------------------------------------------|----------------|------|
//! | In which order do the calls of a batch run?         | `arrange`      | yes  |
//! | Which of them may go now?                           | `queue`        | yes  |
//! | Who may use a resource now?                         | `locks`        | yes  |
//! | Is there a free slot in the runtime?                | `slots`        | yes  |
//! | Who is canceled when a call fails?                  | `siblings`     | yes  |
//! | Whose result is next?                               | `delivery`     | yes  |
//! | Does a change of the context count?                 | `context`      | yes  |
//! | Must a waiting result be stored elsewhere?          | `buffer`       | yes  |
//! | How does a call wait for all this?                  | [`Slot`]      | no   |
//!
//! # Within a batch
//!
//! Calls that are safe run beside each other. One that is not waits until everything before it has
//! been executed or will not be, and what comes after it waits for it. A call about which nothing is
//! known yet, because hooks or a person still decide, may turn out to be one that is not safe, so it
//! holds up what comes after it in the same way; it never stops what already runs.
//!
//! A call waits for the calls it depends on until they have ended. If it depends on one that the model
//! wrote after it, it runs after that one; results still come out as the model wrote the calls.
//!
//! # Between batches
//!
//! Only resource locks and the limit of the runtime. Both are given in the order of asking. A call asks
//! for them when its batch lets it go, for all at once, and holds nothing before it holds everything.
//! So there is no circle of calls waiting for each other: a call that waits here holds nothing that
//! another one waits for, and a call that runs waits for nothing.
//!
//! A tool that makes calls of its own through the same runtime keeps its slot meanwhile. If all slots
//! are taken by such tools, their calls wait until one of them times out.
//!
//! # Cost
//!
//! What happens to one call (it asks, starts, ends, goes away) takes logarithmic time and wakes exactly
//! the calls that may go on because of it. The calls that a failure cancels are told once per batch.

mod alone;
mod arrange;
mod batch;
mod buffer;
mod capacity;
pub(crate) mod context;
mod delivery;
mod locks;
mod policy;
mod queue;
mod siblings;
mod slot;
mod stage;
mod wake;

#[cfg(test)]
mod tests;

use std::{
    fmt,
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::control::Control;

pub use arrange::BatchProblem;
pub(crate) use arrange::Member;
pub(crate) use buffer::{DeliveryBuffer, Reservation};
pub(crate) use context::{ContextRuling, rule};
pub use policy::{PolicyProblem, SchedulerPolicy};
pub(crate) use siblings::Ended;
pub(crate) use slot::{Needs, Slot, Turn};

use capacity::Capacity;
use wake::Entrance;

/// One per runtime. A clone is the same scheduler.
#[derive(Clone)]
pub(crate) struct Scheduler {
    shared: Arc<Shared>,
}

/// What all calls of a runtime share.
struct Shared {
    capacity: Mutex<Capacity<Entrance>>,
}

impl Scheduler {
    /// A scheduler under which at most so many calls run at once, of whatever batch.
    #[must_use]
    pub(crate) fn new(max_parallel: NonZeroUsize) -> Self {
        Self { shared: Arc::new(Shared { capacity: Mutex::new(Capacity::new(max_parallel)) }) }
    }

    /// Places for calls that a model asked for together, in the order in which it did.
    ///
    /// # Errors
    /// If there are too many, one is there twice, or they depend on each other in a circle.
    pub(crate) fn batch(
        &self,
        policy: Arc<SchedulerPolicy>,
        calls: Vec<Member>,
    ) -> Result<Vec<Slot>, BatchProblem> {
        batch::open(&self.shared, policy, calls)
    }

    /// A place for a call that nothing else belongs to.
    #[must_use]
    pub(crate) fn single(&self, control: Arc<Control>) -> Slot {
        Slot::alone(Arc::clone(&self.shared), control)
    }
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scheduler").finish_non_exhaustive()
    }
}

/// No code of others runs while a lock is held, so that a panic cannot leave anything half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
