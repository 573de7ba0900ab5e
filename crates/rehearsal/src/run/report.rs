//! The report that `--json` prints.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::{CallId, InvocationId};
use assent_journal::{Ended, Entry, Fact};
use assent_protocol::agent_tool::{InvocationStatus, ToolSearchResult};
use assent_runtime::CallResult;
use serde::Serialize;

use super::world::World;
use crate::Scenario;

/// The outcome of a scenario.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The calls, in the order of the file.
    pub calls: Vec<CallReport>,
    /// The number of executions of each tool: by its name, or by `namespace/name` if the name is ambiguous.
    pub executed: BTreeMap<String, u64>,
    /// The calls, in the order in which their results were released.
    pub delivered: Vec<CallId>,
    /// The results of the searches.
    pub search: Vec<ToolSearchResult>,
    /// The duration, by the clock of the rehearsal.
    pub duration_ms: u64,
}

/// The outcome of a call.
#[derive(Clone, Debug, Serialize)]
pub struct CallReport {
    /// The id of the call in the file.
    pub id: CallId,
    /// The id of the call in records.
    pub invocation_id: InvocationId,
    /// The tool.
    pub tool_id: String,
    /// The final status.
    pub status: InvocationStatus,
    /// Set if the tool was started.
    pub executed: bool,
    /// The result.
    pub result: CallResult,
}

pub(super) fn of(world: &World<'_>, entries: &[Arc<Entry>]) -> Report {
    let ended: BTreeMap<InvocationId, &Ended> = entries
        .iter()
        .filter_map(|entry| match &entry.draft.fact {
            Fact::Ended(ended) => Some((entry.draft.invocation?, &**ended)),
            _ => None,
        })
        .collect();
    let happened = world.happened();
    let results: BTreeMap<InvocationId, &CallResult> =
        happened.delivered.iter().map(|(invocation, result)| (*invocation, result)).collect();
    let names: BTreeMap<InvocationId, &CallId> =
        world.invocations.iter().map(|(call, invocation)| (*invocation, call)).collect();
    let calls = world.scenario.calls.iter().filter_map(|call| {
        let invocation = world.invocation(&call.id)?;
        let ended = ended.get(&invocation)?;
        Some(CallReport {
            id: call.id.clone(),
            invocation_id: invocation,
            tool_id: ended.tool.to_string(),
            status: ended.transitions.last().map(|(status, _)| *status)?,
            executed: ended.executed,
            result: (*results.get(&invocation)?).clone(),
        })
    });
    let delivered = happened.delivered.iter();
    Report {
        calls: calls.collect(),
        executed: executed(world.scenario, &world.executions.counts()),
        delivered: delivered
            .filter_map(|(invocation, _)| names.get(invocation).map(|call| (*call).clone()))
            .collect(),
        search: happened.searches.clone(),
        duration_ms: u64::try_from(happened.duration.as_millis()).unwrap_or(u64::MAX),
    }
}

fn executed(scenario: &Scenario, counts: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let counted = scenario.tools.iter().filter_map(|tool| {
        let id = tool.id();
        let count = *counts.get(&id)?;
        let name = tool.name.as_str();
        let is_clear = scenario.tool(name).is_some_and(|meant| meant.id() == id);
        Some((if is_clear { name.to_owned() } else { id }, count))
    });
    counted.collect()
}
