//! Asking a person: the part of stage 7 that can take hours.

use std::{sync::Arc, time::Duration};

use assent_ids::{ApprovalId, DecisionId, PromptId, UnixMillis};
use assent_journal::{Asked, Binding, Claim, Fact};
use assent_json::{Digest, Json};
use assent_policy::{Decision, Grant, GrantEffect, GrantKey, GrantSpec};
use assent_protocol::agent_tool::{
    AbortReason, ErrorClass, InvocationStatus, MutationSource, ReasonType, TerminalStatus,
};

use super::{
    Calling, Context, Rules, Stage, Stop, Trail,
    judgement::plain,
    mutation::{self, Changer},
    permission::{self, Judged, Settled},
    pre_hooks,
};
use crate::{
    approval::{Answer, Bound, Prompt, Remember, View, about_to_run},
    catalog::SafetyFacts,
    panics::{caught, caught_call},
    results::UNANSWERED,
};

/// Who asks about what.
pub(super) struct Asking<'a> {
    pub(super) ctx: &'a Context,
    pub(super) rules: &'a Arc<Rules>,
    pub(super) calling: &'a Calling,
    pub(super) trail: &'a mut Trail,
}

/// How waiting for an answer ends.
enum Waited {
    Answered(Answer),
    Stopped(AbortReason),
    InVain,
}

/// Puts the question and acts on the answer.
pub(super) async fn person(mut asking: Asking<'_>, judged: Judged) -> Result<Settled, Stop> {
    let prompt = asking.put(&judged).await?;
    let answer = asking.wait(&prompt).await?;
    match answer {
        Answer::Allow { edit, feedback, remember } => {
            let settled = asking.allowed(&prompt, &judged, edit, feedback.as_deref(), remember)?;
            asking.keep().await?;
            Ok(settled)
        }
        Answer::Deny { feedback, remember } => {
            Err(asking.rejected(&prompt, &judged, feedback, remember))
        }
        Answer::Nobody => Err(asking.nobody()),
    }
}

impl Asking<'_> {
    /// Records what is asked, durably, before anybody is.
    async fn put(&mut self, judged: &Judged) -> Result<Prompt, Stop> {
        let view = view(self.calling, self.trail, &judged.input);
        let asked = match self.calling.resumed.asked.clone() {
            Some(asked) => asked,
            None => self.new_question(judged, view.digest),
        };
        self.trail.asked = Some(asked.clone());
        if self.trail.status() != InvocationStatus::AwaitingApproval {
            self.trail.record(Fact::Asked(Arc::clone(&asked)));
            self.trail.enter(InvocationStatus::AwaitingApproval);
        }
        let recorded = self.trail.checkpoint().await;
        recorded.map_err(|error| Stop::unrecorded(Stage::Permission, &error))?;
        let question = permission::question(self.ctx, self.rules, self.calling, self.trail, judged);
        Ok(Prompt {
            id: asked.prompt,
            invocation: self.trail.invocation,
            view,
            input: judged.input.clone(),
            reasons: judged.verdict.reasons.iter().map(ToString::to_string).collect(),
            messages: self.trail.messages.clone(),
            suggested: permission::suggestions(&question, self.trail),
            not_after: UnixMillis::new(asked.binding.not_after),
            binding: asked.binding.clone(),
        })
    }

    fn new_question(&mut self, judged: &Judged, view: Digest) -> Arc<Asked> {
        let prompt: PromptId = self.trail.derive_id();
        let approval: ApprovalId = self.trail.derive_id();
        let not_after = self.ctx.now().after(self.ctx.approval_timeout).get();
        let binding =
            binding(self.ctx, self.calling, self.trail, &judged.input, (approval, view, not_after));
        Arc::new(Asked { prompt, binding })
    }

    /// Waits for the answer, for the end of the time, or for somebody who wants the call stopped.
    async fn wait(&mut self, prompt: &Prompt) -> Result<Answer, Stop> {
        let time_left = prompt.not_after.since(self.ctx.now());
        let waited = tokio::select! {
            biased;
            reason = pre_hooks::aborted(self.calling) => Waited::Stopped(reason),
            // Whoever panics cannot be asked.
            answer = caught(|| self.ctx.approver.ask(prompt)) => {
                Waited::Answered(answer.unwrap_or(Answer::Nobody))
            }
            () = tokio::time::sleep(time_left) => Waited::InVain,
        };
        self.trail.look_at_clock();
        match waited {
            Waited::Answered(answer) => Ok(answer),
            Waited::Stopped(reason) => Err(self.trail.stopped(Stage::Permission, reason)),
            Waited::InVain => Err(unanswered(self.ctx.approval_timeout)),
        }
    }

    /// Step E: what a person changed is judged again. They may not allow what is denied, and a change
    /// that would need another question is not a change they were shown.
    fn allowed(
        &mut self,
        prompt: &Prompt,
        judged: &Judged,
        edit: Option<Json>,
        feedback: Option<&str>,
        remember: Remember,
    ) -> Result<Settled, Stop> {
        let edit = edit.filter(|edit| *edit != judged.input);
        let edited = edit.map(|edit| self.changed(prompt, judged, edit)).transpose()?;
        let (agreed, binding) = match &edited {
            None => (judged, prompt.binding.clone()),
            Some((edited, binding)) => (edited, binding.clone()),
        };
        let id: DecisionId = self.trail.derive_id();
        let mut decided = plain(id, Decision::Allow, self.rules.mode, None);
        decided.reason = ReasonType::PermissionPromptTool;
        decided.message = Some("a person allowed it".into());
        if edited.is_some() {
            decided.updated_input = Some(self.trail.shown(&agreed.input));
            decided.user_modified = true;
        }
        decided.feedback = feedback.map(|feedback| self.trail.scrub(feedback));
        decided.approval = Some(binding.approval);
        decided.expires_at = Some(binding.not_after);
        if remember == Remember::Session {
            // What they agreed to, and not what they were asked.
            decided.grant = self.remember(&prompt.binding, agreed, GrantEffect::Allow);
        }
        self.trail.decide(decided);
        let binding = Arc::new(binding);
        self.trail.approved = Some(Arc::clone(&binding));
        self.trail.inputs.call = Some(agreed.input.clone());
        Ok(settled(agreed.input.clone(), agreed.safety.clone(), binding))
    }

    /// An answer counts once it is durable: a crash after this does not ask the person again.
    async fn keep(&mut self) -> Result<(), Stop> {
        self.trail.enter(InvocationStatus::Approved);
        let recorded = self.trail.checkpoint().await;
        recorded.map_err(|error| Stop::unrecorded(Stage::Permission, &error))
    }

    fn changed(
        &mut self,
        prompt: &Prompt,
        judged: &Judged,
        edit: Json,
    ) -> Result<(Judged, Binding), Stop> {
        let changer = Changer {
            stage: Stage::Permission,
            source: MutationSource::PermissionPrompt,
            source_ref: None,
            rule: self.calling.tool.prompts_may_change,
            reason: Some("edited by the person who was asked"),
        };
        let prompt_ref = prompt.id.to_string();
        let changer = Changer { source_ref: Some(&prompt_ref), ..changer };
        let tool = Arc::clone(&self.calling.tool);
        let input = mutation::apply(&tool, self.trail, &changer, &judged.input, edit)?;
        let safety = permission::judge(self.ctx, self.calling, &input);
        let rules = self.ctx.rules();
        let verdict =
            permission::decide(self.ctx, &rules, self.calling, self.trail, &input, &safety);
        let edited = Judged { input, safety, verdict };
        if edited.verdict.decision == Decision::Deny {
            let stop = permission::denied(&edited.verdict);
            permission::record(self.trail, &rules, self.calling, edited, Vec::new());
            return Err(stop);
        }
        // The person wrote this input themselves, so it is what they saw.
        let view = view(self.calling, self.trail, &edited.input).digest;
        let approved = (prompt.binding.approval, view, prompt.binding.not_after);
        let binding = binding(self.ctx, self.calling, self.trail, &edited.input, approved);
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
        let mut decided = plain(id, Decision::Deny, self.rules.mode, None);
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

    fn nobody(&mut self) -> Stop {
        let id: DecisionId = self.trail.derive_id();
        let mut decided = plain(id, Decision::Deny, self.rules.mode, None);
        decided.reason = ReasonType::Mode;
        decided.message = Some("nobody can be asked".into());
        self.trail.decide(decided);
        Stop::new(
            Stage::Permission,
            TerminalStatus::Denied,
            ErrorClass::PermissionDenied,
            "it needs an approval, and nobody can be asked here",
        )
    }

    /// The same question, about the same tool as it is now and with the same arguments, gets the same
    /// answer from now on.
    fn remember(
        &self,
        binding: &Binding,
        judged: &Judged,
        effect: GrantEffect,
    ) -> Option<Arc<str>> {
        let question = permission::question(self.ctx, self.rules, self.calling, self.trail, judged);
        let key = GrantKey::of(binding.approval);
        let name: Arc<str> = key.to_string().into();
        // Made from a question that was just judged, so there is nothing to be wrong with it; if there
        // were, the person would be asked again.
        let grant = Grant::load(GrantSpec::remember(key, effect, &question)).ok()?;
        self.ctx.change_rules(|rules| rules.grants = rules.grants.with(grant));
        Some(name)
    }
}

/// What a person sees of a call with this input.
pub(super) fn view(calling: &Calling, trail: &Trail, input: &Json) -> View {
    View::of(&calling.tool.qualified_name(), trail.commitment(input), &trail.shown(input))
}

fn settled(call_input: Json, safety: SafetyFacts, binding: Arc<Binding>) -> Settled {
    let claims = vec![Claim { key: format!("approval:{}", binding.approval).into(), limit: 1 }];
    Settled { call_input, safety, binding: Some(binding), claims, grant: None }
}

/// A person agreed before a crash: the input is the one they agreed to.
pub(super) fn agreed(trail: &Trail, judged: Judged, binding: Arc<Binding>) -> Settled {
    let input = trail.inputs.call.clone().unwrap_or(judged.input);
    settled(input, judged.safety, binding)
}

/// What an approval of this call is bound to.
pub(super) fn binding(
    ctx: &Context,
    calling: &Calling,
    trail: &Trail,
    input: &Json,
    (approval, view, not_after): (ApprovalId, Digest, u64),
) -> Binding {
    let tool = &calling.tool;
    let environment = caught_call(|| tool.executor.environment(input)).ok().flatten();
    about_to_run(&Bound {
        approval,
        invocation: trail.invocation,
        actor: trail.planned.actor.as_ref(),
        session: trail.planned.session.as_ref(),
        device: ctx.device.as_ref(),
        tool: &tool.id,
        definition: tool.digest,
        scope: tool.scope().as_ref(),
        sensitivity: tool.sensitivity().as_ref(),
        arguments: trail.commitment(input),
        hooks: trail.hook_chain(),
        environment: environment.map(|environment| trail.commitment(&environment)),
        view,
        not_after,
    })
}

fn unanswered(timeout: Duration) -> Stop {
    Stop::new(
        Stage::Permission,
        TerminalStatus::TimedOut,
        ErrorClass::Timeout,
        format!("nobody answered within {} s", timeout.as_secs_f64()),
    )
    .coded(UNANSWERED)
}
