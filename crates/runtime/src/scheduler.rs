//! When each call runs, and in which order results are released.
//!
//! | question                                            | answered by    | pure |
//! |-----------------------------------------------------|----------------|------|
//! | In which order do the calls of a batch run?         | `arrange`      | yes  |
//! | Which of them may start now?                        | `queue`        | yes  |
//! | Which call may use a resource now?                  | `locks`        | yes  |
//! | Has the runtime capacity for one more call?         | `capacity`     | yes  |
//! | Which calls are canceled when a call fails?         | `siblings`     | yes  |
//! | Which result is next?                               | `delivery`     | yes  |
//! | Is a change of the context applied?                 | `context`      | yes  |
//! | Must a waiting result be stored elsewhere?          | `buffer`       | yes  |
//! | How does a call wait for all this?                  | [`Slot`]      | no   |
//!
//! # Within a batch
//!
//! Calls that are safe run concurrently. One that is not waits until every call before it has run or will
//! not run, and the calls after it wait for it. A call that is still being decided may turn out not to be safe,
//! so the calls after it wait as well; calls that already run are not affected.
//!
//! A call waits for its dependencies until they have ended. If it depends on a call that the model wrote after
//! it, it runs after that one; results are still released in the model's order.
//!
//! # Between batches
//!
//! Only resource locks and the limit of the runtime apply. Both are granted in the order of the requests. A
//! call requests all of them at once when its batch admits it, and holds none before it holds all. So there is
//! no deadlock: a call that waits holds nothing that another one waits for, and a call that runs waits for
//! nothing.
//!
//! A tool that makes calls of its own through the same runtime keeps its capacity meanwhile. If such tools use
//! all of the capacity, their calls wait until one of them times out.
//!
//! # Cost
//!
//! Every event of a call takes logarithmic time and wakes exactly the calls that can continue because of it.
//! The calls that a failure cancels are walked once per batch.

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

/// The scheduler of a runtime. Clones share their state.
#[derive(Clone)]
pub(crate) struct Scheduler {
    shared: Arc<Shared>,
}

/// The state that all calls of a runtime share.
struct Shared {
    capacity: Mutex<Capacity<Entrance>>,
}

impl Scheduler {
    /// A scheduler under which at most `max_parallel` calls run at once, over all batches.
    #[must_use]
    pub(crate) fn new(max_parallel: NonZeroUsize) -> Self {
        Self { shared: Arc::new(Shared { capacity: Mutex::new(Capacity::new(max_parallel)) }) }
    }

    /// Slots for calls that a model requested together, in the model's order.
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

    /// A slot for a call that belongs to no batch.
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

/// No foreign code runs while a lock is held, so the state is consistent even after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
