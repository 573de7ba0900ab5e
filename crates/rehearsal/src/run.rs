//! Runs a scenario through the real pipeline.
//!
//! Everything outside of the runtime is scripted: tools, hooks, the person, cancellations, interruptions
//! and crashes. The runtime itself is the one that runs in production. With a virtual clock, waiting takes
//! no time and two runs produce the same journal.

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
pub(crate) use world::load_policy;

use life::{Life, Outcome};
use world::World;

/// Options of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Shows the values of sensitive fields.
    pub reveal: bool,
    /// A crash in addition to those in the file.
    pub crash: Option<CrashPoint>,
}

/// A point at which the process crashes. Batches are counted from 1 over the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashPoint {
    /// Before this batch is written.
    Before(u64),
    /// After this batch is written, before the runtime learns of it.
    After(u64),
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Rehearsed {
    /// The report about the calls.
    pub report: Report,
    /// The entries of the journal, in order.
    pub entries: Vec<Arc<Entry>>,
    /// The number of expectations.
    pub expected: usize,
    /// The expectations that did not hold.
    pub unmet: Vec<Unmet>,
    /// The number of batches that were passed to the journal, which are the possible crash points.
    pub batches: u64,
}

/// Why a scenario cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Its rules or policies are wrong.
    #[error("the rules cannot be used")]
    Rules(assent_cedar::LoadError),
    /// A tool cannot be registered.
    #[error("the tool `{tool}` cannot be registered")]
    Tool {
        /// The name of the tool.
        tool: String,
        /// The problems of the tool.
        problems: Vec<String>,
    },
    /// The pattern of a hook is not valid.
    #[error("the hook `{hook}` cannot be registered: {error}")]
    Hook {
        /// The id of the hook.
        hook: String,
        /// The problem of the pattern.
        error: assent_policy::GlobError,
    },
    /// The scheduler's policy contradicts itself.
    #[error("{0}")]
    Scheduler(String),
    /// The async runtime cannot be started.
    #[error("{0}")]
    Machine(String),
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Runs a scenario.
///
/// # Errors
/// If the scenario cannot be run. A failed call is not an error.
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

/// Reads all entries of a journal.
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
