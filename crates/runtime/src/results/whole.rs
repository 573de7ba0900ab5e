//! The ordinary result: all of it is passed on, and there is nothing else to say. Its records are made
//! when somebody first reads them.

use std::sync::{Arc, OnceLock};

use assent_journal::{Lazy, Source};
use assent_protocol::agent_tool::{
    PersistenceStrategy, TerminalStatus, ToolResult, ToolResultPersistence,
};

use super::{Choice, Filing, Redacted, ResultDraft, persist::Work};

/// A result that is passed on whole, from which both of its records can be made.
///
/// INVARIANT: `strategy` is what [`super::whole_by`] says.
pub(crate) struct Whole {
    work: Work,
    strategy: PersistenceStrategy,
    title: Arc<str>,
    policies: Vec<String>,
    result: OnceLock<Box<ToolResult>>,
    decision: OnceLock<Box<ToolResultPersistence>>,
}

impl Whole {
    /// The result of a tool that is called `title`, which [`super::whole_by`] says is passed on under `strategy`.
    #[must_use]
    pub(crate) fn new(
        (result, choice, filing): (Redacted, Choice, Filing),
        strategy: PersistenceStrategy,
        (title, policies): (Arc<str>, Vec<String>),
    ) -> Arc<Self> {
        let work = Work { result, choice, filing };
        let (result, decision) = (OnceLock::new(), OnceLock::new());
        Arc::new(Self { work, strategy, title, policies, result, decision })
    }

    /// What came of the call.
    #[must_use]
    pub(crate) fn result(self: &Arc<Self>) -> Lazy<ToolResult> {
        Lazy::Unmade(Arc::<Self>::clone(self))
    }

    /// That it is passed on whole, and why.
    #[must_use]
    pub(crate) fn decision(self: &Arc<Self>) -> Lazy<ToolResultPersistence> {
        Lazy::Unmade(Arc::<Self>::clone(self))
    }

    /// Where something sensitive was taken out, as JSON Pointers into the result.
    #[must_use]
    pub(crate) fn redacted_fields(&self) -> &[String] {
        self.work.result.fields()
    }

    fn draft(&self) -> ResultDraft {
        let Filing { result_id, invocation_id, at, .. } = self.work.filing;
        let mut draft = ResultDraft::new(result_id, invocation_id, at, TerminalStatus::Succeeded);
        draft.policy_refs.clone_from(&self.policies);
        draft.title = self.title.as_ref().to_owned();
        draft.delivered = Some(self.work.clone().whole(self.strategy));
        draft
    }
}

impl Source<ToolResult> for Whole {
    fn record(&self) -> &ToolResult {
        self.result.get_or_init(|| Box::new(self.draft().assemble()))
    }

    fn text(&self) -> Option<&str> {
        self.work.mapped().text()
    }
}

impl Source<ToolResultPersistence> for Whole {
    fn record(&self) -> &ToolResultPersistence {
        self.decision.get_or_init(|| Box::new(self.work.record(self.strategy)))
    }
}
