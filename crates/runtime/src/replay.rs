//! Replaying recorded decisions under other rules.
//!
//! A journal records the facts of every decision, so that other rules can decide the same question. No tool runs
//! and no person is asked.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::{InvocationId, ToolId, UnixMillis};
use assent_journal::{CallFacts, Decided, Draft, Entry, Fact, Planned, Selected};
use assent_json::{Digest, Json};
use assent_policy::{Decision, Grants, Mode, Opinion, Policy, Question, Safety, Verdict};

/// A recorded decision of rules, policies and the mode.
#[derive(Clone, Debug)]
pub struct Past {
    /// The call.
    pub invocation: InvocationId,
    /// When it was made.
    pub at: UnixMillis,
    /// The tool.
    pub tool: Arc<ToolId>,
    /// The decision.
    pub decision: Decision,
    /// The reason, in words.
    pub reason: Option<String>,
    /// Whether a grant settled it. A journal does not record which grants were in force.
    pub rests_on_grant: bool,
    /// Whether values of the arguments were replaced, so that rules about them cannot be evaluated.
    pub has_hidden_values: bool,
    definition: Digest,
    actor: Option<Arc<str>>,
    session: Option<Arc<str>>,
    mode: Mode,
    input: Json,
    opinions: Vec<Opinion>,
    considered: Box<CallFacts>,
}

impl Past {
    /// The decision under another policy, without grants.
    #[must_use]
    pub fn put_to(&self, policy: &Policy) -> Verdict {
        let about = &self.considered;
        let question = Question {
            tool_id: self.tool.as_str(),
            namespace: &about.namespace,
            name: &about.name,
            qualified: None,
            aliases: &about.aliases,
            operation: about.operation.as_deref(),
            definition: self.definition,
            safety: Safety {
                read_only: about.read_only,
                destructive: about.destructive,
                open_world: about.open_world,
            },
            requires_approval: about.requires_approval,
            actor: self.actor.as_deref(),
            session: self.session.as_deref(),
            input: self.input.root(),
            mode: self.mode,
            opinions: &self.opinions,
            now: self.at,
        };
        policy.decide(&question, &Grants::none())
    }
}

/// Reads a journal, entry by entry.
#[derive(Debug, Default)]
pub struct History {
    /// The calls that have not ended.
    calls: BTreeMap<InvocationId, Call>,
}

#[derive(Debug)]
struct Call {
    planned: Arc<Planned>,
    selected: Option<Arc<Selected>>,
}

impl History {
    /// Reads the next entry and returns its decision, if it is one that can be replayed. Decisions of older
    /// journals lack the facts for that.
    pub fn learn(&mut self, entry: &Entry) -> Option<Past> {
        let Draft { at, invocation, fact, .. } = &entry.draft;
        let invocation = (*invocation)?;
        match fact {
            Fact::Planned(planned) => {
                let call = Call { planned: Arc::clone(planned), selected: None };
                self.calls.insert(invocation, call);
            }
            Fact::Selected(selected) => {
                self.calls.get_mut(&invocation)?.selected = Some(Arc::clone(selected));
            }
            Fact::Decided(decided) => {
                return past(invocation, *at, self.calls.get(&invocation)?, decided);
            }
            Fact::Ended(_) => {
                self.calls.remove(&invocation);
            }
            _ => {}
        }
        None
    }
}

fn past(invocation: InvocationId, at: UnixMillis, call: &Call, decided: &Decided) -> Option<Past> {
    let considered = decided.considered.clone()?;
    let selected = call.selected.as_ref()?;
    let mode = Mode::ALL.into_iter().find(|mode| mode.as_str() == decided.mode)?;
    let opinions = considered.opinions.iter().filter_map(|note| {
        Some(Opinion {
            decision: Decision::of(note.behavior)?,
            hook: note.hook.clone(),
            reason: note.reason.clone(),
            authoritative: note.authoritative,
        })
    });
    Some(Past {
        invocation,
        at,
        tool: Arc::clone(&selected.tool),
        decision: Decision::of(decided.behavior)?,
        reason: decided.message.as_ref().map(ToString::to_string),
        rests_on_grant: decided.grant.is_some(),
        has_hidden_values: considered.has_hidden_values,
        definition: selected.definition,
        actor: call.planned.actor.clone(),
        session: call.planned.session.clone(),
        mode,
        input: considered.input.clone().unwrap_or_else(|| call.planned.model_input.clone()),
        opinions: opinions.collect(),
        considered,
    })
}
