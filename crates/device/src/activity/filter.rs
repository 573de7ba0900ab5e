//! Which part of the activity is listed.

use assent_ids::AgentId;

use super::{CallItem, CallStatus};
use crate::DecidedBy;

/// Which calls are listed.
#[derive(Clone, Debug, Default)]
pub struct ActivityFilter {
    /// Those of this agent.
    pub agent_id: Option<AgentId>,
    /// Those that ended so.
    pub outcome: Option<ActivityOutcome>,
    /// Those whose agent, tool, scope or target contains this text.
    pub text: Option<String>,
}

/// How calls ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActivityOutcome {
    /// The person decided.
    Asked,
    /// They ran without a prompt.
    Quiet,
    /// They were denied.
    Denied,
    /// They failed.
    Failed,
}

impl ActivityOutcome {
    /// The outcome with this word.
    #[must_use]
    pub fn find(word: &str) -> Option<Self> {
        Some(match word {
            "asked" => Self::Asked,
            "quiet" => Self::Quiet,
            "denied" => Self::Denied,
            "failed" => Self::Failed,
            _ => return None,
        })
    }

    fn is_of(self, item: &CallItem) -> bool {
        let by_person = matches!(item.decided_by, Some(DecidedBy::Console | DecidedBy::Terminal));
        match self {
            Self::Asked => by_person,
            Self::Quiet => item.status == CallStatus::Ok && !by_person,
            Self::Denied => item.status == CallStatus::Denied,
            Self::Failed => item.status == CallStatus::Error,
        }
    }
}

impl ActivityFilter {
    pub(super) fn matches(&self, item: &CallItem) -> bool {
        let agent = item.agent.as_ref();
        self.agent_id.is_none_or(|id| agent.is_some_and(|agent| agent.agent_id == id))
            && self.outcome.is_none_or(|outcome| outcome.is_of(item))
            && self.text.as_ref().is_none_or(|text| contains(item, &text.to_lowercase()))
    }
}

fn contains(item: &CallItem, text: &str) -> bool {
    let texts = [
        item.agent.as_ref().map(|agent| agent.name.as_str()),
        item.tool.as_ref().map(|tool| tool.name.as_str()),
        item.scope.as_ref().map(|scope| scope.id.as_str()),
        item.target.as_ref().map(|target| target.text.as_str()),
        item.reason.as_deref(),
    ];
    texts.into_iter().flatten().any(|part| part.to_lowercase().contains(text))
}
