//! The decision: opinions in, one verdict out.
//!
//! ```text
//! A  mode plan                     → deny
//! B  collect: mode read_only, rules, policies, hooks, deny grants
//! C  errors, or an approval that the profile requires and no opinion replaces → ask
//! D  combine: the strictest opinion; without any, allow what only reads and ask for the rest
//! E  an ask is settled by an authoritative hook (not if something could not be evaluated),
//!    or else by a grant; an immune ask by neither
//! F  mode headless: what is still an ask → deny
//! ```

use assent_ids::HookId;
use assent_protocol::agent_tool::ReasonType;

use crate::{
    Decision, GrantKey, Grants, Mode, Policy, Question, Reason, Verdict, findings::Findings,
};

/// The opinion that settled the question.
#[derive(Debug)]
enum Settled {
    /// The strictest one.
    Strictest,
    /// The allow of this authoritative hook.
    ByHook(HookId),
    /// The allow of this grant.
    ByGrant(GrantKey),
}

impl Policy {
    /// Decides whether a call may run.
    #[must_use]
    pub fn decide(&self, question: &Question<'_>, grants: &Grants) -> Verdict {
        let mut findings = Findings::default();
        if question.mode == Mode::Plan {
            findings.say(ReasonType::Mode, Decision::Deny, "in plan mode nothing runs");
            return verdict(findings, Decision::Deny, Settled::Strictest);
        }
        self.collect(question, grants, &mut findings);
        require_a_person(question, &mut findings);
        let combined = combine(question, &mut findings);
        settle(question, grants, findings, combined)
    }

    /// Step B.
    fn collect(&self, question: &Question<'_>, grants: &Grants, findings: &mut Findings) {
        if question.mode == Mode::ReadOnly && !question.safety.read_only {
            let message = "in read-only mode nothing runs that may change something";
            findings.say(ReasonType::Mode, Decision::Deny, message);
        }
        self.consult(question, findings);
        question.opinions.iter().for_each(|opinion| findings.hook(opinion));
        findings.reasons.extend(grants.denials(question));
    }
}

/// Step C.
fn require_a_person(question: &Question<'_>, findings: &mut Findings) {
    findings.reasons.extend(findings.errors.iter().map(Reason::not_evaluated));
    if question.requires_approval && !findings.vouched {
        let message = "the tool requires the approval of a person";
        findings.say(ReasonType::SafetyCheck, Decision::Ask, message);
    }
}

/// Step D.
fn combine(question: &Question<'_>, findings: &mut Findings) -> Decision {
    if let Some(strictest) = findings.strictest() {
        return strictest;
    }
    let (decision, message) = match question.safety.read_only {
        true => (Decision::Allow, "the call only reads, and no rule forbids it"),
        false => (Decision::Ask, "the call may change something, and no rule allows it"),
    };
    findings.say(ReasonType::SafetyCheck, decision, message);
    decision
}

/// Steps E and F.
fn settle(
    question: &Question<'_>,
    grants: &Grants,
    mut findings: Findings,
    combined: Decision,
) -> Verdict {
    if combined != Decision::Ask {
        return verdict(findings, combined, Settled::Strictest);
    }
    if !findings.immune {
        let hook = findings.authoritative.take().filter(|_| findings.errors.is_empty());
        if let Some(hook) = hook {
            return verdict(findings, Decision::Allow, Settled::ByHook(hook));
        }
        if let Some(grant) = grants.permission(question) {
            findings.reasons.push(grant.reason());
            return verdict(findings, Decision::Allow, Settled::ByGrant(grant.id().clone()));
        }
    }
    if question.mode == Mode::Headless {
        let mut reason = Reason::new(ReasonType::Mode, Decision::Deny, "no person can be asked");
        if let Some(errors) = findings.not_evaluated() {
            reason.message = format!("{}, and {errors}", reason.message).into();
        }
        findings.reasons.push(reason);
        return verdict(findings, Decision::Deny, Settled::Strictest);
    }
    verdict(findings, combined, Settled::Strictest)
}

fn verdict(findings: Findings, decision: Decision, settled: Settled) -> Verdict {
    let Findings { mut reasons, mut errors, .. } = findings;
    reasons.sort_by(|a, b| a.rank().cmp(&b.rank()));
    reasons.dedup();
    errors.sort();
    errors.dedup();
    let is_settler = |reason: &&mut Reason| {
        let is_one = match &settled {
            Settled::Strictest => true,
            Settled::ByHook(hook) => reason.hook.as_ref() == Some(hook),
            Settled::ByGrant(grant) => reason.grant.as_ref() == Some(grant),
        };
        is_one && reason.decision == decision
    };
    if let Some(settler) = reasons.iter_mut().find(is_settler) {
        settler.decisive = true;
    }
    let grant = match settled {
        Settled::ByGrant(grant) => Some(grant),
        Settled::Strictest | Settled::ByHook(_) => None,
    };
    Verdict { decision, reasons, grant, errors }
}
