//! One attempt: the executor runs while the call handles its reports, its timeout, and requests to stop.

use std::{
    future::{Future, pending, ready},
    pin::{Pin, pin},
    sync::Arc,
};

use assent_ids::ProgressId;
use assent_journal::Fact;
use assent_json::Json;
use assent_protocol::{
    agent_tool::{AbortReason, ErrorClass, InvocationStatus, ProgressStatus, ToolProgress},
    wire::{Count, Millis, Percent},
};
use tokio::{
    sync::oneshot,
    time::{Instant, sleep_until},
};

use super::{Calling, Context, Outcome, Trail, Verified};
use crate::{
    catalog::Tool,
    control::Report,
    executor::{Call, Failure, Output, Progress},
    panics::caught,
};

/// The number of progress reports of a call that are all recorded. Of later ones only the last is.
const MAX_PROGRESS: u64 = 1_000;

type Finished = Result<Result<Output, Failure>, String>;
type Answering<'a> = Pin<Box<dyn Future<Output = Option<Json>> + Send + 'a>>;

pub(super) async fn run(
    ctx: &Context,
    calling: &Calling,
    verified: &Verified,
    trail: &mut Trail,
) -> Outcome {
    let call = call(calling, verified, trail);
    let started = Instant::now();
    let execution = pin!(caught(|| calling.tool.executor.execute(&call)));
    let outcome = Attempt::new(ctx, calling, trail, started).listen(execution).await;
    trail.update_time();
    take_last_reports(calling, trail, started);
    if let Some(progress) = trail.take_skipped_progress() {
        record_progress(trail, progress, started);
    }
    outcome
}

fn call(calling: &Calling, verified: &Verified, trail: &Trail) -> Call {
    let tool = &calling.tool;
    let mappings = tool.mappings.iter().chain(&trail.planned.mappings).cloned().collect();
    Call {
        invocation: trail.invocation,
        tool: Arc::clone(&tool.id),
        input: verified.input.clone(),
        environment: verified.environment.clone(),
        attempt: trail.attempts,
        timeout: calling.timeout,
        sandbox: sandbox(tool),
        credentials: Arc::clone(&tool.credentials),
        actor: trail.planned.actor.clone(),
        native_call_id: trail.planned.native_call_id.clone(),
        mappings,
        control: Arc::clone(&calling.control),
    }
}

/// The sandbox of the execution profile, or of the permission profile if that names none.
fn sandbox(tool: &Tool) -> Option<Arc<str>> {
    let definition = &tool.definition;
    let named = definition.execution.sandbox_profile.as_deref();
    named.or(definition.permission.sandbox_profile.as_deref()).map(Into::into)
}

/// The state of an attempt while the executor runs.
struct Attempt<'a> {
    ctx: &'a Context,
    calling: &'a Calling,
    trail: &'a mut Trail,
    started: Instant,
    deadline: Instant,
    /// When to give up a tool that was asked to stop.
    give_up: Option<(Instant, AbortReason)>,
    /// The pending answer to a question of the tool.
    answer: Option<(Answering<'a>, oneshot::Sender<Json>)>,
    /// Questions without an answer: the tool waits for them until its timeout.
    unanswered: Vec<oneshot::Sender<Json>>,
}

/// The next event of an attempt.
#[expect(clippy::large_enum_variant, reason = "it is taken apart as soon as it is made")]
enum Next {
    Finished(Finished),
    Heard,
    Answered(Option<Json>),
    TimeIsOver,
    GiveUp(AbortReason),
}

impl<'a> Attempt<'a> {
    fn new(ctx: &'a Context, calling: &'a Calling, trail: &'a mut Trail, started: Instant) -> Self {
        let deadline = started + calling.timeout;
        Self {
            ctx,
            calling,
            trail,
            started,
            deadline,
            give_up: None,
            answer: None,
            unanswered: Vec::new(),
        }
    }

    async fn listen(&mut self, mut execution: Pin<&mut impl Future<Output = Finished>>) -> Outcome {
        loop {
            self.hear();
            match self.next(execution.as_mut()).await {
                Next::Finished(finished) => return ended(self.calling, self.trail, finished),
                Next::Heard => {}
                Next::Answered(answer) => self.answered(answer),
                Next::TimeIsOver => return self.time_is_over(execution).await,
                Next::GiveUp(reason) => {
                    let artifacts = Vec::new();
                    return Outcome::Aborted { reason, acknowledged: false, artifacts };
                }
            }
        }
    }

    async fn next(&mut self, execution: Pin<&mut impl Future<Output = Finished>>) -> Next {
        let answering = async {
            match &mut self.answer {
                Some((answering, _)) => answering.as_mut().await,
                None => pending().await,
            }
        };
        let giving_up = async {
            match self.give_up {
                Some((at, reason)) => {
                    sleep_until(at).await;
                    reason
                }
                None => pending().await,
            }
        };
        let deadline = self.deadline;
        let timeout = async move { sleep_until(deadline).await };
        tokio::select! {
            biased;
            () = self.calling.control.changed() => Next::Heard,
            finished = execution => Next::Finished(finished),
            answer = answering => Next::Answered(answer),
            reason = giving_up => Next::GiveUp(reason),
            () = timeout => Next::TimeIsOver,
        }
    }

    /// Handles the reports of the executor and requests to stop.
    fn hear(&mut self) {
        self.trail.update_time();
        for report in self.calling.control.take_reports() {
            if let Report::NeedsInput(question) = report {
                self.trail.enter(InvocationStatus::NeedsInput);
                self.record_question(&question.prompt);
                self.trail.flush();
                let asked = question.prompt;
                let (ctx, tool) = (self.ctx, &self.calling.tool);
                let invocation = self.trail.invocation;
                let answering = async move {
                    let name = tool.name.as_str();
                    // A provider that panics gives no answer.
                    caught(|| ctx.inputs.answer(invocation, name, &asked)).await.ok().flatten()
                };
                self.answer = Some((Box::pin(answering), question.reply));
            } else {
                take(self.calling, self.trail, report, self.started);
            }
        }
        if let Some(reason) = self.calling.control.aborted() {
            self.request_stop(reason);
        }
    }

    /// Records a question of the tool, and the question as progress for readers of the standard's records.
    fn record_question(&mut self, prompt: &str) {
        let prompt = self.trail.scrub(prompt);
        let progress = Progress { message: Some(prompt.clone()), ..Progress::default() };
        let mut record = progress_record(self.trail, progress, self.started);
        record.status = ProgressStatus::WaitingForInput.into();
        self.trail.record(Fact::Progressed(Box::new(record)));
        self.trail.record(Fact::NeedsInput { prompt });
    }

    /// Handles a request to stop. A tool that cannot be stopped continues, and that is recorded.
    fn request_stop(&mut self, reason: AbortReason) {
        if self.trail.cancel_reason().is_some() {
            return;
        }
        self.trail.cancel_requested(reason);
        if self.calling.tool.definition.execution.supports_cancel == Some(true) {
            self.give_up = Some((Instant::now() + self.ctx.grace, reason));
        } else {
            self.trail.cancel_failed("the tool does not support cancellation");
        }
        self.trail.flush();
    }

    fn answered(&mut self, answer: Option<Json>) {
        let Some((_, reply)) = self.answer.take() else { return };
        match answer {
            Some(answer) => {
                self.trail.enter(InvocationStatus::Running);
                self.trail.flush();
                // The executor may no longer wait for it.
                drop(reply.send(answer));
            }
            None => self.unanswered.push(reply),
        }
    }

    /// Gives the executor one chance to notice its timeout before it is dropped.
    async fn time_is_over(
        &mut self,
        execution: Pin<&mut impl Future<Output = Finished>>,
    ) -> Outcome {
        self.trail.cancel_requested(AbortReason::Timeout);
        self.calling.control.abort(AbortReason::Timeout);
        // Its answer is ignored: the timeout is over.
        tokio::select! {
            biased;
            _ = execution => {}
            () = ready(()) => {}
        }
        Outcome::TimedOut { artifacts: Vec::new() }
    }
}

fn ended(calling: &Calling, trail: &mut Trail, finished: Finished) -> Outcome {
    // The executor may have noticed a request to stop before the call did.
    if let Some(reason) = calling.control.aborted() {
        trail.cancel_requested(reason);
    }
    match finished {
        Ok(Ok(output)) => {
            trail.cancel_failed("it had finished before it could be stopped");
            Outcome::Returned(output)
        }
        Ok(Err(failure)) => match trail.cancel_reason() {
            Some(reason) if failure.class == ErrorClass::Canceled => {
                trail.cancel_acknowledged();
                Outcome::Aborted { reason, acknowledged: true, artifacts: failure.artifacts }
            }
            _ => Outcome::Failed(failure),
        },
        Err(panicked) => Outcome::Failed(Failure::new(ErrorClass::ExecutionFailed, panicked)),
    }
}

fn take_last_reports(calling: &Calling, trail: &mut Trail, started: Instant) {
    for report in calling.control.take_reports() {
        take(calling, trail, report, started);
    }
}

fn take(calling: &Calling, trail: &mut Trail, report: Report, started: Instant) {
    match report {
        Report::Progress(progress) if trail.progress_count() >= MAX_PROGRESS => {
            trail.skip_progress(progress);
            return;
        }
        Report::Progress(progress) => record_progress(trail, progress, started),
        Report::Partial(part) => {
            trail.enter(InvocationStatus::PartialResult);
            let part = trail.scrub_json(&part);
            trail.record(Fact::Partial(part));
        }
        Report::Stopping | Report::NeedsInput(_) => return,
    }
    // If progress is ordered as well, it waits for the next fact that has to be durable.
    if !calling.slot.holds_progress() || trail.is_full() {
        trail.flush();
    }
}

fn record_progress(trail: &mut Trail, progress: Progress, started: Instant) {
    let record = progress_record(trail, progress, started);
    trail.record(Fact::Progressed(Box::new(record)));
}

fn progress_record(trail: &mut Trail, progress: Progress, started: Instant) -> ToolProgress {
    let progress = trail.scrub_progress(progress);
    let id: ProgressId = trail.derive_id();
    let mut record = ToolProgress::new(
        id,
        trail.invocation,
        Count(trail.next_progress()),
        ProgressStatus::Running,
        trail.now().into(),
    );
    record.message = progress.message;
    record.percent = progress.percent.and_then(Percent::new);
    record.current_step = progress.current_step;
    record.total_steps = progress.total_steps.map(Count);
    record.bytes_read = progress.bytes_read.map(Count);
    record.bytes_written = progress.bytes_written.map(Count);
    record.line_count = progress.line_count.map(Count);
    let elapsed = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    record.elapsed_ms = Some(Millis(elapsed));
    record.extra = progress.extra;
    record
}
