//! Takes a scenario through the real pipeline.
//!
//! The world outside the runtime is scripted: tools, hooks, the person, and the moments at which
//! somebody cancels, interrupts or pulls the plug. The runtime itself is the one that runs in
//! production. With a virtual clock, waiting takes no time and two runs give the same journal.

mod catalog;
mod clock;
mod definition;
mod expectations;
mod hook;
mod life;
mod person;
mod plug;
mod report;
mod tool;
mod world;

use std::sync::Arc;

use assent_journal::{Entry, Journal, JournalError, MemoryJournal, Seq};

use crate::Scenario;

pub use expectations::Unmet;
pub use report::{CallReport, Report};

pub(crate) use catalog::try_out;
pub(crate) use life::scheduler_policy;
pub(crate) use world::{load_policy, rule_spec};

use life::{Life, Outcome};
use world::World;

/// How a scenario is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether values of sensitive fields are shown.
    pub reveal: bool,
    /// Where the process dies once, besides what the file says.
    pub crash: Option<CrashPoint>,
}

/// A boundary of the journal at which the process dies. Batches are counted from 1 over the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashPoint {
    /// Nothing of this batch is written.
    Before(u64),
    /// This batch is written, and nobody hears of it.
    After(u64),
}

/// What came of a run.
#[derive(Debug)]
pub struct Rehearsed {
    /// What became of the calls.
    pub report: Report,
    /// Everything that was recorded, in order.
    pub entries: Vec<Arc<Entry>>,
    /// How many expectations the scenario has.
    pub expected: usize,
    /// The expectations that did not hold.
    pub unmet: Vec<Unmet>,
    /// How many batches were handed to the journal: the boundaries at which the process can die.
    pub batches: u64,
}

/// Why a scenario could not be run although it was read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Its rules or policies are wrong.
    #[error("the rules cannot be used")]
    Rules(Vec<assent_policy::PolicyProblem>),
    /// A rule has keys or values that rules do not have.
    #[error("{}", .0.join("; "))]
    Unread(Vec<String>),
    /// A tool cannot be registered.
    #[error("the tool `{tool}` cannot be registered")]
    Tool {
        /// Which one.
        tool: String,
        /// What is wrong with it.
        problems: Vec<String>,
    },
    /// A hook does not say which tools it is for.
    #[error("the hook `{hook}` cannot be registered: {error}")]
    Hook {
        /// Which one.
        hook: String,
        /// What is wrong with its pattern.
        error: assent_policy::GlobError,
    },
    /// The scheduler's policy contradicts itself.
    #[error("{0}")]
    Scheduler(String),
    /// The machine does not give what a run needs.
    #[error("{0}")]
    Machine(String),
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Runs a scenario.
///
/// # Errors
/// If the scenario cannot be run. Whatever becomes of the calls is no error.
pub fn run(scenario: &Scenario, options: Options) -> Result<Rehearsed, RunError> {
    let journal: Arc<MemoryJournal> = Arc::new(MemoryJournal::new());
    let world = World::new(scenario, options, Arc::clone(&journal))?;
    let mut life = Life::first();
    loop {
        match life.live(&world)? {
            Outcome::Done => break,
            Outcome::PlugPulled { at } => life = Life::after(at),
        }
    }
    let entries = all(&*journal)?;
    let report = report::of(&world, &entries);
    let unmet = expectations::unmet(scenario, &report, &world.executions);
    let batches = world.batches_written();
    Ok(Rehearsed { report, entries, expected: scenario.expectations.len(), unmet, batches })
}

/// Every entry of a journal that answers at once.
fn all(journal: &dyn Journal) -> Result<Vec<Arc<Entry>>, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .map_err(|error| RunError::Machine(error.to_string()))?;
    let mut entries: Vec<Arc<Entry>> = Vec::new();
    loop {
        let next = entries.last().map_or(Seq(1), |entry| Seq(entry.seq.0 + 1));
        let page = runtime.block_on(journal.read(next, 10_000))?;
        if page.is_empty() {
            return Ok(entries);
        }
        entries.extend(page);
    }
}
