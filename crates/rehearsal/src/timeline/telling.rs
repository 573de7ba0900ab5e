//! Describes facts, each in its stage.

use assent_journal::{Decided, Ended, Entry, Fact};
use assent_protocol::agent_tool::{Behavior, InvocationStatus, MutationSource, ToolResult};
use assent_runtime::Stage;

use super::{MomentKind, changes::KnownInputs, hooks};

/// The description of a fact.
pub(super) struct Told {
    pub(super) stage: Stage,
    pub(super) kind: MomentKind,
    pub(super) what: String,
    pub(super) detail: String,
}

fn told(
    stage: Stage,
    kind: MomentKind,
    what: impl Into<String>,
    detail: impl Into<String>,
) -> Option<Told> {
    Some(Told { stage, kind, what: what.into(), detail: detail.into() })
}

/// Describes the facts of one call, in order.
pub(super) struct Teller {
    inputs: KnownInputs,
    status: InvocationStatus,
    /// The stage of the last fact.
    stage: Stage,
    /// The stage that ended the call early, if one did.
    ended_in: Option<Stage>,
}

impl Teller {
    pub(super) fn new(entries: &[&Entry]) -> Self {
        Self {
            inputs: KnownInputs::of(entries),
            status: InvocationStatus::Planned,
            stage: Stage::Resolve,
            ended_in: None,
        }
    }

    /// The state of the call after the facts so far.
    pub(super) fn status(&self) -> InvocationStatus {
        self.status
    }

    /// Describes the next fact. Returns nothing for facts that the following one repeats, such as the start of
    /// hooks.
    pub(super) fn tell(&mut self, fact: &Fact) -> Option<Told> {
        let told = match fact {
            Fact::Moved(status) => self.moved(*status),
            Fact::Selected(selected) => {
                self.status = InvocationStatus::Selected;
                told(Stage::Resolve, MomentKind::Step, "found", selected.tool.as_str())
            }
            Fact::Resulted(result) => self.result(result),
            Fact::Ended(ended) => Some(self.end(ended)),
            _ => self.on_the_way(fact),
        };
        self.stage = told.as_ref().map_or(self.stage, |told| told.stage);
        told
    }

    fn on_the_way(&self, fact: &Fact) -> Option<Told> {
        use MomentKind::{Bad, Careful, Step};
        match fact {
            Fact::Planned(planned) => {
                told(Stage::Resolve, Step, "asked for", planned.model_input.text())
            }
            Fact::Mutated(mutated) => {
                told(self.stage_of(mutated.source), Careful, "changed", self.inputs.tell(mutated))
            }
            Fact::HookRan(ran) => told(hooks::stage(ran.event), Step, "hook", hooks::tell(ran)),
            Fact::HookFailed(failed) => {
                let after = if failed.closed { "it ends the call" } else { "it is passed over" };
                let detail = format!("`{}` failed: {}; {after}", failed.hook, failed.message);
                told(hooks::stage(failed.event), Bad, "hook", detail)
            }
            Fact::Asked(asked) => {
                told(Stage::Permission, Careful, "person", format!("is asked ({})", asked.prompt))
            }
            Fact::Decided(decided) => decision(decided),
            Fact::Progressed(progress) => {
                let percent =
                    progress.percent.as_ref().map(|percent| format!("{} %", percent.get()));
                let words = [percent, progress.message.clone()].into_iter().flatten();
                told(Stage::Execute, Step, "progress", words.collect::<Vec<_>>().join(" "))
            }
            Fact::Partial(part) => told(Stage::Execute, Step, "part", part.text()),
            Fact::NeedsInput { prompt } => told(Stage::Execute, Careful, "asks", prompt.as_str()),
            Fact::CancelRequested { reason } => {
                told(self.stage, Careful, "cancel", format!("requested: {reason}"))
            }
            Fact::CancelAcknowledged => told(self.stage, Step, "cancel", "acknowledged"),
            Fact::CancelFailed { message } => {
                told(self.stage, Careful, "cancel", format!("failed: {message}"))
            }
            Fact::Retried { attempt } => {
                told(Stage::Execute, Careful, "again", format!("attempt {attempt}"))
            }
            Fact::Persisted(record) => {
                let reason = record.reason.as_deref().unwrap_or_default();
                told(Stage::Persist, Step, "kept", format!("{}: {reason}", record.strategy))
            }
            Fact::Redacted { fields } => {
                told(Stage::Persist, Careful, "redacted", fields.join(", "))
            }
            Fact::Noted(_)
            | Fact::HookStarted(_)
            | Fact::Completed(_)
            | Fact::Selected(_)
            | Fact::Moved(_)
            | Fact::Resulted(_)
            | Fact::Ended(_) => None,
        }
    }

    fn moved(&mut self, status: InvocationStatus) -> Option<Told> {
        self.status = status;
        let (stage, what, detail) = match status {
            InvocationStatus::ArgumentsReady => {
                (Stage::Parse, "fits", "the arguments fit the schema")
            }
            InvocationStatus::Queued => (Stage::Schedule, "queued", "waits for its turn"),
            InvocationStatus::Running => (Stage::Execute, "running", "the tool works"),
            InvocationStatus::Yielded => (Stage::Emit, "yielded", "its result is next in order"),
            _ => return None,
        };
        told(stage, MomentKind::Step, what, detail)
    }

    /// Returns the stage in which an input is changed.
    fn stage_of(&self, source: MutationSource) -> Stage {
        match source {
            MutationSource::Hook => self.stage,
            MutationSource::PermissionPrompt => Stage::Permission,
            MutationSource::Adapter | MutationSource::Migration | MutationSource::Runtime => {
                Stage::Observe
            }
        }
    }

    fn result(&mut self, result: &ToolResult) -> Option<Told> {
        let status = result.status.as_str();
        let Some(error) = result.error.as_ref().and_then(|error| error.typed()) else {
            let summary = result.summary.as_deref().unwrap_or_default();
            return told(Stage::Emit, MomentKind::Good, "result", format!("{status}: {summary}"));
        };
        let stage = error.extra.get("stage").and_then(|stage| stage.as_str());
        self.ended_in =
            stage.and_then(|named| Stage::ALL.into_iter().find(|stage| stage.as_str() == named));
        let message = error.message.as_deref().unwrap_or_default();
        let detail = format!("{status}, {}: {message}", error.error_class.as_str());
        let kind =
            if result.is_error == Some(true) { MomentKind::Bad } else { MomentKind::Careful };
        told(self.ended_in.unwrap_or(Stage::Emit), kind, "result", detail)
    }

    fn end(&self, ended: &Ended) -> Told {
        let count = Stage::ALL.len();
        let way = match self.ended_in {
            Some(stage) => {
                let number =
                    Stage::ALL.iter().position(|one| *one == stage).map_or(count, |at| at + 1);
                format!("in stage {number} of {count}")
            }
            None => format!("after all {count} stages"),
        };
        let ran = match (ended.executed, ended.attempts) {
            (false, _) => "the tool did not run".to_owned(),
            (true, 0 | 1) => "the tool ran".to_owned(),
            (true, attempts) => format!("the tool ran {attempts} times"),
        };
        Told {
            stage: Stage::Emit,
            kind: MomentKind::of(self.status),
            what: self.status.to_string(),
            detail: format!("{way}; {ran}"),
        }
    }
}

fn decision(decided: &Decided) -> Option<Told> {
    let kind = match decided.behavior {
        Behavior::Allow => MomentKind::Good,
        Behavior::Ask | Behavior::Passthrough => MomentKind::Careful,
        Behavior::Deny => MomentKind::Bad,
    };
    // A reason without a rule or hook begins with the decision, which was already shown.
    let message = decided.message.as_deref().unwrap_or_default();
    let reason = ["allows: ", "asks: ", "denies: "]
        .into_iter()
        .find_map(|verb| message.strip_prefix(verb))
        .unwrap_or(message);
    let detail = match &decided.feedback {
        Some(feedback) => format!("{reason} (“{feedback}”)"),
        None => reason.to_owned(),
    };
    told(Stage::Permission, kind, decided.behavior.as_str(), detail)
}
