//! Asking a person: the part of stage 7 that can take hours.

use std::{borrow::Cow, future::pending, sync::Arc, time::Duration};

use assent_ids::{ApprovalId, DecisionId, PromptId, UnixMillis};
use assent_journal::{Asked, Binding, Fact};
use assent_json::Json;
use assent_policy::{Decision, Grant, GrantEffect, GrantKey, GrantSpec};
use assent_protocol::agent_tool::{
    ErrorClass, InvocationStatus, MutationSource, ReasonType, TerminalStatus,
};

use super::{
    Calling, Context, Rules, Stage, Stop, Trail,
    approved_call::{QuestionKey, binding, environment, view},
    decision,
    mutation::{self, Changer},
    verdict::{self, Judged},
};
use crate::{
    approval::{Answer, Prompt, Remember},
    catalog::SafetyFacts,
    panics::{caught, caught_call},
    results::UNANSWERED,
};

/// How long a yes lasts. A call that could not begin by then is not run.
const APPROVAL_LIFETIME: Duration = Duration::from_secs(600);

/// The approval of one call, from the question to the answer.
pub(super) struct ApprovalFlow<'a> {
    pub(super) ctx: &'a Context,
    pub(super) rules: &'a Arc<Rules>,
    pub(super) calling: &'a Calling,
    pub(super) trail: &'a mut Trail,
}

/// A call that a person approved.
pub(super) struct Approved {
    pub(super) input: Json,
    pub(super) safety: SafetyFacts,
    pub(super) binding: Arc<Binding>,
}

/// What a person says together with a yes.
struct Consent {
    edit: Option<Json>,
    feedback: Option<String>,
    remember: Remember,
}

/// Asks the person and acts on the answer.
pub(super) async fn person(mut flow: ApprovalFlow<'_>, judged: Judged) -> Result<Approved, Stop> {
    let prompt = flow.prompt(&judged).await?;
    match flow.answer(&prompt).await? {
        Answer::Allow { edit, feedback, remember } => {
            let consent = Consent { edit, feedback, remember };
            let approved = flow.allowed(&prompt, judged, consent)?;
            flow.save_answer().await?;
            Ok(approved)
        }
        Answer::Deny { feedback, remember } => {
            Err(flow.rejected(&prompt, &judged, feedback, remember))
        }
        Answer::Refuse { class, code } => Err(flow.refused(&prompt, class, code)),
        Answer::Unavailable => Err(flow.no_approver()),
    }
}

impl ApprovalFlow<'_> {
    /// Makes the question durable before it is asked.
    async fn prompt(&mut self, judged: &Judged) -> Result<Prompt, Stop> {
        let view = view(self.calling, self.trail, &judged.input);
        let asked = match self.calling.resumed.asked.clone() {
            Some(asked) => asked,
            None => self.new_question(judged, view.digest),
        };
        self.trail.asked = Some(Arc::clone(&asked));
        if self.trail.status() != InvocationStatus::AwaitingApproval {
            self.trail.record(Fact::Asked(Arc::clone(&asked)));
            self.trail.enter(InvocationStatus::AwaitingApproval);
        }
        self.checkpoint().await?;
        let question = verdict::question(self.ctx, self.rules, self.calling, self.trail, judged);
        Ok(Prompt {
            id: asked.prompt,
            invocation: self.trail.invocation,
            view,
            input: judged.input.clone(),
            reasons: judged.verdict.reasons.iter().map(ToString::to_string).collect(),
            messages: self.trail.hooks.messages.clone(),
            suggested: verdict::suggestions(&question, self.trail),
            not_after: asked.not_after.map(UnixMillis::new),
            binding: asked.binding.clone(),
        })
    }

    fn new_question(&mut self, judged: &Judged, view: assent_json::Digest) -> Arc<Asked> {
        let prompt: PromptId = self.trail.derive_id();
        let approval: ApprovalId = self.trail.derive_id();
        let key = QuestionKey { approval, view };
        let touched = environment(self.calling, &judged.input);
        let binding =
            binding(self.ctx, self.calling, self.trail, &judged.input, touched.as_ref(), key);
        let approver_decides = caught_call(|| self.ctx.approver.owns_deadline()).unwrap_or(false);
        let not_after = self.ctx.now().after(self.ctx.approval_timeout).get();
        let not_after = (!approver_decides).then_some(not_after);
        Arc::new(Asked { prompt, binding, not_after })
    }

    /// Waits for the answer, for the timeout, or until the call should stop.
    async fn answer(&mut self, prompt: &Prompt) -> Result<Answer, Stop> {
        let answer = tokio::select! {
            biased;
            reason = self.calling.aborted() => {
                return Err(self.trail.stopped(Stage::Permission, reason));
            }
            // An approver that panics cannot be asked.
            answer = caught(|| self.ctx.approver.ask(prompt)) => {
                Ok(answer.unwrap_or(Answer::Unavailable))
            }
            () = time_is_over(prompt.not_after, self.ctx.now()) => Err(self.unanswered()),
        };
        self.trail.update_time();
        if prompt.not_after.is_some_and(|not_after| self.trail.now() > not_after) {
            return Err(self.unanswered());
        }
        answer
    }

    /// Step E: what a person changed is judged again. A person cannot allow what is denied.
    fn allowed(
        &mut self,
        prompt: &Prompt,
        judged: Judged,
        consent: Consent,
    ) -> Result<Approved, Stop> {
        let edit = consent.edit.filter(|edit| *edit != judged.input);
        let is_edited = edit.is_some();
        let (judged, binding) = match edit {
            Some(edit) => self.edited(prompt, &judged, edit)?,
            None => (judged, prompt.binding.clone()),
        };
        let id: DecisionId = self.trail.derive_id();
        let mut decided = decision::plain(id, Decision::Allow, self.rules.mode, None);
        decided.reason = ReasonType::PermissionPromptTool;
        decided.message = Some("a person allowed it".into());
        decided.updated_input = is_edited.then(|| self.trail.shown(&judged.input));
        decided.user_modified = is_edited;
        decided.feedback = consent.feedback.map(|feedback| self.trail.scrub(&feedback));
        decided.approval = Some(binding.approval);
        let until = self.trail.now().after(APPROVAL_LIFETIME);
        decided.expires_at = Some(until.get());
        if consent.remember == Remember::Session {
            // The grant is for what the person agreed to, which may differ from what they were asked.
            decided.grant = self.remember(&prompt.binding, &judged, GrantEffect::Allow);
        }
        self.trail.decide(decided);
        let binding = Arc::new(binding);
        self.trail.approved = Some(Arc::clone(&binding));
        self.trail.approved_until = Some(until);
        self.trail.inputs.call = Some(judged.input.clone());
        Ok(Approved { input: judged.input, safety: judged.safety, binding })
    }

    /// Makes the answer durable, so that a person is not asked again after a crash.
    async fn save_answer(&mut self) -> Result<(), Stop> {
        self.trail.enter(InvocationStatus::Approved);
        self.checkpoint().await
    }

    async fn checkpoint(&mut self) -> Result<(), Stop> {
        let saved = self.trail.checkpoint().await;
        saved.map_err(|error| Stop::unrecorded(Stage::Permission, &error))
    }

    /// Applies an edit of the person and judges the result.
    fn edited(
        &mut self,
        prompt: &Prompt,
        judged: &Judged,
        edit: Json,
    ) -> Result<(Judged, Binding), Stop> {
        let prompt_ref = prompt.id.to_string();
        let changer = Changer {
            stage: Stage::Permission,
            source: MutationSource::PermissionPrompt,
            source_ref: Some(&prompt_ref),
            rule: self.calling.tool.prompts_may_change,
            reason: Some("edited by the person who was asked"),
        };
        let tool = &self.calling.tool;
        let input = mutation::apply(tool, self.trail, &changer, &judged.input, edit)?;
        let rules = self.ctx.rules();
        let edited = verdict::judge(self.ctx, &rules, self.calling, self.trail, input);
        if edited.verdict.decision == Decision::Deny {
            verdict::record(self.trail, &rules, self.calling, &edited, Vec::new());
            return Err(verdict::denied(&edited.verdict));
        }
        // The person wrote this input, so this is what they saw.
        let view = view(self.calling, self.trail, &edited.input).digest;
        let key = QuestionKey { approval: prompt.binding.approval, view };
        let touched = environment(self.calling, &edited.input);
        let binding =
            binding(self.ctx, self.calling, self.trail, &edited.input, touched.as_ref(), key);
        Ok((edited, binding))
    }

    fn rejected(
        &mut self,
        prompt: &Prompt,
        judged: &Judged,
        feedback: Option<String>,
        remember: Remember,
    ) -> Stop {
        let id: DecisionId = self.trail.derive_id();
        let mut decided = decision::plain(id, Decision::Deny, self.rules.mode, None);
        decided.reason = ReasonType::PermissionPromptTool;
        decided.message = Some("a person refused it".into());
        let feedback = feedback.map(|feedback| self.trail.scrub(&feedback));
        decided.feedback.clone_from(&feedback);
        decided.approval = Some(prompt.binding.approval);
        if remember == Remember::Session {
            decided.grant = self.remember(&prompt.binding, judged, GrantEffect::Deny);
        }
        self.trail.decide(decided);
        let message = match feedback {
            Some(feedback) => format!("the person refused: {feedback}"),
            None => "the person refused".to_owned(),
        };
        Stop::new(Stage::Permission, TerminalStatus::Denied, ErrorClass::ApprovalRejected, message)
    }

    fn refused(&mut self, prompt: &Prompt, class: ErrorClass, code: Cow<'static, str>) -> Stop {
        let id: DecisionId = self.trail.derive_id();
        let mut decided = decision::plain(id, Decision::Deny, self.rules.mode, None);
        let message = format!("the approver refused it: {code}");
        decided.reason = ReasonType::PermissionPromptTool;
        decided.message = Some(message.clone().into());
        decided.approval = Some(prompt.binding.approval);
        self.trail.decide(decided);
        let status = match class {
            ErrorClass::Timeout => TerminalStatus::TimedOut,
            _ => TerminalStatus::Denied,
        };
        Stop::new(Stage::Permission, status, class, message).coded(code)
    }

    fn unanswered(&self) -> Stop {
        let seconds = self.ctx.approval_timeout.as_secs_f64();
        Stop::new(
            Stage::Permission,
            TerminalStatus::TimedOut,
            ErrorClass::Timeout,
            format!("it was not answered within {seconds} s"),
        )
        .coded(UNANSWERED)
    }

    fn no_approver(&mut self) -> Stop {
        let id: DecisionId = self.trail.derive_id();
        let mut decided = decision::plain(id, Decision::Deny, self.rules.mode, None);
        decided.reason = ReasonType::Mode;
        decided.message = Some("no approver is available".into());
        self.trail.decide(decided);
        Stop::new(
            Stage::Permission,
            TerminalStatus::Denied,
            ErrorClass::PermissionDenied,
            "it needs an approval, and no approver is available here",
        )
    }

    /// Answers the same question the same way from now on: the same tool, unchanged, with the same
    /// arguments.
    fn remember(
        &self,
        binding: &Binding,
        judged: &Judged,
        effect: GrantEffect,
    ) -> Option<Arc<str>> {
        let question = verdict::question(self.ctx, self.rules, self.calling, self.trail, judged);
        let key = GrantKey::of(binding.approval);
        let name: Arc<str> = key.to_string().into();
        // A grant made from a question is always valid; if it were not, the person would be asked again.
        let grant = Grant::load(GrantSpec::remember(key, effect, &question)).ok()?;
        self.ctx.change_rules(|rules| rules.grants = rules.grants.with(grant));
        Some(name)
    }
}

/// Waits until a deadline of the runtime has passed. The deadline of an approver never passes here.
async fn time_is_over(not_after: Option<UnixMillis>, now: UnixMillis) {
    match not_after {
        Some(not_after) => tokio::time::sleep(not_after.since(now)).await,
        None => pending().await,
    }
}
