//! The thirteen stages of a call, from its journal.

use assent_ids::UnixMillis;
use assent_journal::{Decided, Draft, Ended, Entry, Fact, Selected};
use assent_protocol::agent_tool::{HookEvent, InvocationStatus, ToolResult};
use assent_runtime::Stage;
use serde::Serialize;

/// What became of a call in one stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallStage {
    /// The name of the stage.
    pub name: &'static str,
    /// What became of the call.
    pub status: StageStatus,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// What happened, or why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What became of a call in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StageStatus {
    /// It went on.
    Passed,
    /// It ended.
    Stopped,
    /// It is there now.
    Waiting,
    /// It did not get there.
    Skipped,
}

/// What the facts say about one stage.
#[derive(Clone, Debug, Default)]
struct Found {
    at: Option<UnixMillis>,
    reason: Option<String>,
}

/// Collects what the facts of a call say.
struct Collector {
    found: [Found; Stage::ALL.len()],
    /// The stage of the last fact.
    reached: usize,
    /// The stage that ended the call early.
    ended_in: Option<usize>,
    has_ended: bool,
}

/// The name of a stage as the API of the console has it.
const fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Resolve => "resolve",
        Stage::Deferral => "deferral",
        Stage::Parse => "parse",
        Stage::Validate => "validate",
        Stage::Observe => "observe",
        Stage::PreHooks => "pre_hooks",
        Stage::Permission => "permission",
        Stage::Schedule => "schedule",
        Stage::Execute => "execute",
        Stage::MapResult => "map",
        Stage::PostHooks => "post_hooks",
        Stage::Persist => "persist",
        Stage::Emit => "emit",
    }
}

fn position(stage: Stage) -> usize {
    Stage::ALL.iter().position(|one| *one == stage).unwrap_or_default()
}

/// The stages of a call from all entries of its journal, oldest first. Empty if there are none.
pub(super) fn stages<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<CallStage> {
    let mut collector =
        Collector { found: Default::default(), reached: 0, ended_in: None, has_ended: false };
    let mut begun = None;
    for entry in entries {
        begun = begun.or(Some(entry.draft.at));
        collector.learn(&entry.draft);
    }
    begun.map(|begun| collector.finish(begun)).unwrap_or_default()
}

impl Collector {
    fn learn(&mut self, draft: &Draft) {
        match &draft.fact {
            Fact::Planned(_) => self.note(draft, Stage::Resolve, None),
            Fact::Selected(selected) => self.note(draft, Stage::Resolve, Some(found(selected))),
            Fact::Moved(status) => self.moved(draft, *status),
            Fact::HookRan(hook) => {
                let stop = hook.said.as_deref().and_then(|said| said.stop.as_ref());
                let reason = stop.and_then(|stop| stop.get("reason")?.as_str());
                self.note(draft, stage_of(hook.event), reason.map(str::to_owned));
            }
            Fact::HookFailed(hook) => {
                self.note(draft, stage_of(hook.event), Some(hook.message.clone()));
            }
            Fact::Asked(_) => {
                self.note(draft, Stage::Permission, Some("the person is asked".to_owned()));
            }
            Fact::Decided(decided) => self.note(draft, Stage::Permission, said(decided)),
            Fact::Completed(_) => self.note(draft, Stage::MapResult, None),
            Fact::Persisted(stored) => {
                self.note(draft, Stage::Persist, stored.reason.as_ref().map(ToString::to_string));
            }
            Fact::Resulted(result) => self.resulted(draft, result),
            Fact::Ended(ended) => self.ended(draft, ended),
            _ => {}
        }
    }

    fn note(&mut self, draft: &Draft, stage: Stage, reason: Option<String>) {
        let position = position(stage);
        if let Some(found) = self.found.get_mut(position) {
            found.at = Some(draft.at);
            found.reason = reason.or(found.reason.take());
        }
        self.reached = self.reached.max(position);
    }

    fn moved(&mut self, draft: &Draft, status: InvocationStatus) {
        let (stage, reason) = match status {
            InvocationStatus::ArgumentsReady => (Stage::Parse, "the arguments fit the schema"),
            InvocationStatus::Queued => (Stage::Schedule, "it waits for its turn"),
            InvocationStatus::Running => (Stage::Execute, "the tool runs"),
            InvocationStatus::Yielded => (Stage::Emit, "its result is next in order"),
            _ => return,
        };
        self.note(draft, stage, Some(reason.to_owned()));
    }

    fn resulted(&mut self, draft: &Draft, result: &ToolResult) {
        let Some(error) = result.error.as_ref().and_then(|error| error.typed()) else { return };
        let named = error.extra.get("stage").and_then(|stage| stage.as_str());
        let stage = Stage::ALL.into_iter().find(|stage| Some(stage.as_str()) == named);
        if let Some(stage) = stage {
            self.note(draft, stage, error.message.clone());
            self.ended_in = Some(position(stage));
        }
    }

    fn ended(&mut self, draft: &Draft, ended: &Ended) {
        let text = if ended.executed { "the tool ran" } else { "the tool did not run" };
        self.note(draft, Stage::Emit, Some(text.to_owned()));
        self.has_ended = true;
    }

    /// Tells what became of the call in every stage. A stage takes the time from the last fact before it to its own.
    fn finish(self, begun: UnixMillis) -> Vec<CallStage> {
        let last = position(Stage::Emit);
        let mut before = begun;
        let stages = Stage::ALL.into_iter().zip(self.found).enumerate();
        stages
            .map(|(index, (stage, found))| {
                let status = match self.ended_in {
                    _ if !self.has_ended && index == self.reached => StageStatus::Waiting,
                    _ if !self.has_ended && index > self.reached => StageStatus::Skipped,
                    Some(ended_in) if index == ended_in => StageStatus::Stopped,
                    Some(ended_in) if index > ended_in && index < last => StageStatus::Skipped,
                    _ => StageStatus::Passed,
                };
                let ms = found.at.map(|at| at.since(before).as_millis());
                before = found.at.unwrap_or(before).max(before);
                let is_skipped = status == StageStatus::Skipped;
                CallStage {
                    name: name(stage),
                    status,
                    ms: ms.and_then(|ms| u64::try_from(ms).ok()).filter(|_| !is_skipped),
                    reason: found.reason.filter(|_| !is_skipped),
                }
            })
            .collect()
    }
}

fn found(selected: &Selected) -> String {
    format!("found `{}`", selected.tool.as_str())
}

/// What a decision says about itself.
fn said(decided: &Decided) -> Option<String> {
    let message = decided.message.as_deref()?;
    Some(match &decided.feedback {
        Some(feedback) => format!("{message}: {feedback}"),
        None => message.to_owned(),
    })
}

const fn stage_of(event: HookEvent) -> Stage {
    match event {
        HookEvent::PreToolUse => Stage::PreHooks,
        HookEvent::PostToolUse | HookEvent::PostToolUseFailure => Stage::PostHooks,
        HookEvent::PermissionRequest | HookEvent::PermissionDecision => Stage::Permission,
        HookEvent::ResultPersistence => Stage::Persist,
    }
}
