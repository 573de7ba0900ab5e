//! The parts of a call that has not ended which later records repeat.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::{BatchId, HookRunId, ToolId, UnixMillis};
use assent_protocol::agent_tool::{InvocationStatus, ToolResult};

use crate::Fact;

#[derive(Debug, Default)]
pub(super) struct OpenCall {
    pub(super) tool: Option<Arc<ToolId>>,
    pub(super) trace: Option<Arc<str>>,
    pub(super) batch: Option<BatchId>,
    pub(super) session: Option<Arc<str>>,
    pub(super) result: Option<Arc<ToolResult>>,
    /// How often it entered the status `running`.
    pub(super) starts: u32,
    /// The runs of hooks that have begun, and when.
    pub(super) hooks: BTreeMap<HookRunId, UnixMillis>,
}

impl OpenCall {
    /// Updates the state with a fact before the fact is projected.
    pub(super) fn learn(&mut self, fact: &Fact, at: UnixMillis) {
        match fact {
            Fact::Planned(planned) => {
                self.trace.clone_from(&planned.trace);
                self.batch = planned.batch;
                self.session.clone_from(&planned.session);
            }
            Fact::Selected(selected) => self.tool = Some(Arc::clone(&selected.tool)),
            Fact::Moved(InvocationStatus::Running) => {
                self.starts = self.starts.saturating_add(1);
            }
            Fact::HookStarted(hook) => {
                self.hooks.insert(hook.run, at);
            }
            Fact::Resulted(result) => self.result = Some(result.clone()),
            Fact::Ended(ended) => self.tool = Some(Arc::clone(&ended.tool)),
            _ => {}
        }
    }
}
