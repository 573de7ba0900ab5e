//! Cedar policies: loaded against a schema made from the tools, asked about each call.
//!
//! | in a policy       | is                                                                       |
//! |-------------------|--------------------------------------------------------------------------|
//! | `principal`       | `Agent::"…"`, the actor; `Agent::""` if there is none                    |
//! | `action`          | `Action::"…"`, the id of the tool                                        |
//! | `resource`        | `Tool::"…"` with `name` and `namespace`, in `Namespace::"…"`             |
//! | `context.input`   | the arguments, as the tool's own schema declares them ([`types`])        |
//! | `context.…`       | `read_only`, `destructive`, `open_world`, `mode`, `now` and, if given, `operation`, `session` |
//!
//! `permit` allows, `forbid` denies, and either with `@effect("ask")` asks. `@id`, `@source` and
//! `@bypass_immune` are what they are for rules. Not being permitted is no denial: a call that no
//! policy speaks of is decided like any other.

mod context;
mod load;
mod schema;
mod source_text;
mod types;

use std::collections::BTreeMap;

use assent_ids::RuleId;
use assent_protocol::agent_tool::{ReasonType, RuleSource};
use cedar_policy::{
    AuthorizationError, Authorizer, Entities, EntityId, EntityTypeName, EntityUid, PolicySet,
    Request,
};
use serde_json::Value;

use self::types::Record;
use crate::{
    Decision, PolicyError, Question,
    findings::{Findings, Match},
};

/// A tool that policies may speak of.
#[derive(Clone, Copy, Debug)]
pub struct ToolShape<'t> {
    /// Its id.
    pub tool_id: &'t str,
    /// The boundary within which its name is unique.
    pub namespace: &'t str,
    /// Its name there.
    pub name: &'t str,
    /// The schema of its input.
    pub input_schema: Option<&'t Value>,
}

/// Policies that are ready to be asked.
#[derive(Debug)]
pub(crate) struct Cedar {
    authorizer: Authorizer,
    /// The policies that speak of any tool.
    general: Sets,
    /// The policies that name tools, by the tool: others are not even looked at.
    by_tool: BTreeMap<Box<str>, Sets>,
    /// By the id that the policy has in its set.
    voices: BTreeMap<String, Voice>,
    /// The tools, with what their arguments look like.
    tools: BTreeMap<Box<str>, Record>,
    entities: Entities,
    names: TypeNames,
}

/// Policies apart by effect: asked together, a `forbid` would hide every `permit`.
type Sets = Vec<PolicySet>;

/// What it means that a policy is satisfied.
#[derive(Debug)]
struct Voice {
    rule: RuleId,
    decision: Decision,
    source: Option<RuleSource>,
    bypass_immune: bool,
}

/// The types of the entities.
#[derive(Debug)]
struct TypeNames {
    agent: EntityTypeName,
    action: EntityTypeName,
    namespace: EntityTypeName,
    tool: EntityTypeName,
}

impl Cedar {
    /// Asks the policies about a call.
    pub(crate) fn consult(&self, question: &Question<'_>, findings: &mut Findings) {
        let Some(record) = self.tools.get(question.tool_id) else {
            findings.errors.push(PolicyError::UnknownTool);
            return;
        };
        let named = self.by_tool.get(question.tool_id).into_iter().flatten();
        let mut sets = self.general.iter().chain(named).peekable();
        if sets.peek().is_none() {
            return;
        }
        match self.request(question, record) {
            Ok(request) => self.ask(&request, sets, findings),
            Err(error) => findings.errors.push(error),
        }
    }

    fn request(&self, question: &Question<'_>, record: &Record) -> Result<Request, PolicyError> {
        let context = context::context(question, record)?;
        let uid = |name: &EntityTypeName, id: &str| {
            EntityUid::from_type_name_and_id(name.clone(), EntityId::new(id))
        };
        let principal = uid(&self.names.agent, question.actor.unwrap_or_default());
        let action = uid(&self.names.action, question.tool_id);
        let resource = uid(&self.names.tool, question.tool_id);
        // The context is made from the same types as the schema, so it need not be checked again.
        Request::new(principal, action, resource, context, None)
            .map_err(|_| PolicyError::UnknownTool)
    }

    fn ask<'s>(
        &self,
        request: &Request,
        sets: impl Iterator<Item = &'s PolicySet>,
        findings: &mut Findings,
    ) {
        for set in sets {
            let response = self.authorizer.is_authorized(request, set, &self.entities);
            for id in response.diagnostics().reason() {
                match self.voices.get::<str>(id.as_ref()) {
                    Some(voice) => findings.matched(voice.as_match()),
                    None => findings.errors.push(PolicyError::UnknownTool),
                }
            }
            for AuthorizationError::PolicyEvaluationError(error) in response.diagnostics().errors()
            {
                let voice = self.voices.get::<str>(error.policy_id().as_ref());
                findings.errors.push(match voice {
                    Some(voice) => PolicyError::Policy(voice.rule.clone()),
                    None => PolicyError::UnknownTool,
                });
            }
        }
    }
}

impl Voice {
    fn as_match(&self) -> Match<'_> {
        Match {
            kind: ReasonType::Policy,
            decision: self.decision,
            rule: &self.rule,
            source: self.source,
            bypass_immune: self.bypass_immune,
        }
    }
}
