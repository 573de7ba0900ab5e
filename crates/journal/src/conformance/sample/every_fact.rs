//! A call to which everything happens that can happen to a call.

use std::sync::Arc;

use assent_ids::{HookId, HookRunId, PersistenceId, ProgressId};
use assent_json::{Digest, Json};
use assent_protocol::{
    agent_tool::{
        AbortReason, Behavior, HookEvent, HookVerdict, InvocationStatus, MutationSource,
        PersistedRef, PersistenceStrategy, ProgressStatus, ToolHook, ToolProgress,
        ToolResultPersistence,
    },
    wire::Count,
};

use super::{Story, definition, id, tool};
use crate::{
    Asked, Binding, ClassifierNote, Completed, Decided, Draft, Fact, HookFailed, HookRan,
    HookStarted, Mutated,
};

/// Hooks, a question, an edit, progress, input, a cancel that fails, a retry, and a stored result.
#[must_use]
pub fn every_fact(number: u64) -> Vec<Draft> {
    let mut story = Story::begin(number);
    story.select();
    story.go(InvocationStatus::ArgumentsReady);
    story.go(InvocationStatus::PreHooksRunning);
    hooks(&mut story, HookEvent::PreToolUse, number);
    story.decide(Behavior::Ask);
    ask(&mut story, number);
    story.go(InvocationStatus::Approved);
    story.go(InvocationStatus::Queued);
    story.go(InvocationStatus::Running);
    run(&mut story, number);
    story.go(InvocationStatus::PostHooksRunning);
    hooks(&mut story, HookEvent::PostToolUse, number + 10);
    let result = story.content().into();
    let status = InvocationStatus::Succeeded;
    story.add(Fact::Completed(Box::new(Completed { status, result })));
    store(&mut story, number);
    story.go(InvocationStatus::Yielded);
    story.end(status)
}

fn hooks(story: &mut Story, event: HookEvent, number: u64) {
    let hook: HookId = "guard".parse().unwrap();
    let run: HookRunId = id(number);
    story.add(Fact::HookStarted(HookStarted { run, hook: hook.clone(), event }));
    let mut record = ToolHook::new(&hook, event);
    let mut verdict = HookVerdict::new(Behavior::Passthrough);
    verdict.reason = Some("nothing to say".to_owned());
    record.permission_result = Some(verdict.into());
    record.updated_input = Some(serde_json::json!({ "path": "notes.txt" }));
    let said = Some(Box::new(record));
    story.add(Fact::HookRan(HookRan { run, hook: hook.clone(), event, said }));
    story.add(Fact::Mutated(Box::new(Mutated {
        id: id(number),
        source: MutationSource::Hook,
        source_ref: Some(run.to_string()),
        from: Digest::of(b"before"),
        to: Digest::of(b"after"),
        changed: vec!["/path".to_owned()],
        reason: Some("normalised".to_owned()),
    })));
    let run = id(number + 1);
    story.add(Fact::HookStarted(HookStarted { run, hook: hook.clone(), event }));
    let message = "it did not answer".to_owned();
    story.add(Fact::HookFailed(Box::new(HookFailed { run, hook, event, message, closed: false })));
}

fn ask(story: &mut Story, number: u64) {
    story.go(InvocationStatus::AwaitingApproval);
    let binding = Binding {
        approval: id(number),
        invocation: story.invocation(),
        actor: None,
        session: Some("ses".into()),
        device: Some("dev".into()),
        tool: tool(),
        definition: definition(),
        scope: Some("files:read".into()),
        sensitivity: Some("low".into()),
        arguments: Digest::of(b"arguments"),
        hooks: Digest::of(b"hooks"),
        environment: Digest::of(b"environment"),
        view: Digest::of(b"view"),
    };
    let not_after = Some(story.now().get() + 30_000);
    story.add(Fact::Asked(Arc::new(Asked { prompt: id(number), binding, not_after })));
    story.decide(Behavior::Allow);
    let Some(Draft { fact: Fact::Decided(decided), .. }) = story.drafts.last_mut() else { return };
    let mut answered = (**decided).clone();
    answer(&mut answered, number);
    *decided = answered.into();
}

fn answer(decided: &mut Decided, number: u64) {
    decided.updated_input = Some(Json::read(r#"{"path":"diary.txt"}"#).unwrap());
    decided.user_modified = true;
    decided.feedback = Some("only the diary".to_owned());
    decided.approval = Some(id(number));
    decided.grant = Some("grant_1".into());
    decided.expires_at = Some(super::BEGIN + 60_000);
    decided.policies = vec!["policy".to_owned()];
    decided.classifiers = vec![ClassifierNote {
        classifier: "paths".to_owned(),
        fact: "is_read_only".to_owned(),
        answer: Some(true),
        confidence: Some(90),
        reason: None,
    }];
}

fn run(story: &mut Story, number: u64) {
    let progress = ToolProgress::new(
        id::<ProgressId>(number),
        story.invocation(),
        Count(1),
        ProgressStatus::Running,
        story.now().into(),
    );
    story.add(Fact::Progressed(Box::new(progress)));
    story.add(Fact::Retried { attempt: 2 });
    story.go(InvocationStatus::PartialResult);
    story.add(Fact::Partial(Json::read(r#"["buy"]"#).unwrap()));
    story.go(InvocationStatus::NeedsInput);
    story.add(Fact::NeedsInput { prompt: "which line?".to_owned() });
    story.go(InvocationStatus::Running);
    story.add(Fact::CancelRequested { reason: AbortReason::UserInterruption });
    story.add(Fact::CancelAcknowledged);
    story.add(Fact::CancelFailed { message: "it cannot be stopped".to_owned() });
}

fn store(story: &mut Story, number: u64) {
    let mut stored = ToolResultPersistence::new(
        id::<PersistenceId>(number),
        story.invocation(),
        PersistenceStrategy::RefOnly,
        story.now().into(),
    );
    let mut place = PersistedRef::new("assent-result:1");
    place.digest = Some(format!("sha256:{}", Digest::of(b"bytes")));
    stored.persisted_ref = Some(place.into());
    story.add(Fact::Persisted(stored.into()));
    story.add(Fact::Redacted { fields: vec!["/content/0".to_owned()] });
}
