//! Policies that are ready to be evaluated.

use std::collections::BTreeMap;

use assent_json::Digest;
use assent_policy::{Evaluation, PolicyEngine, PolicyError, PolicyMatch, Question};
use cedar_policy::{
    AuthorizationError, Authorizer, Entities, EntityId, EntityTypeName, EntityUid, PolicySet,
    Request,
};
use serde_json::Value;

use crate::{context::context, types::Record};

/// A tool that policies may refer to.
#[derive(Clone, Copy, Debug)]
pub struct ToolShape<'t> {
    /// The id of the tool.
    pub tool_id: &'t str,
    /// The namespace in which the name is unique.
    pub namespace: &'t str,
    /// The name in the namespace.
    pub name: &'t str,
    /// The schema of the input.
    pub input_schema: Option<&'t Value>,
}

/// Cedar policies that were checked against the schemas of the tools.
#[derive(Debug)]
pub struct Cedar {
    pub(crate) authorizer: Authorizer,
    /// The policies for any tool.
    pub(crate) general: Sets,
    /// The policies that name tools, by the tool.
    pub(crate) by_tool: BTreeMap<Box<str>, Sets>,
    /// What a satisfied policy decides, by the id that the policy has in its set.
    pub(crate) matches: BTreeMap<String, PolicyMatch>,
    /// The types of the arguments of each tool.
    pub(crate) tools: BTreeMap<Box<str>, Record>,
    pub(crate) entities: Entities,
    pub(crate) names: TypeNames,
    /// The digest of the text.
    pub(crate) digest: Digest,
}

/// Policies separated by effect: evaluated together, a `forbid` would hide every `permit`.
pub(crate) type Sets = Vec<PolicySet>;

/// The types of the entities.
#[derive(Debug)]
pub(crate) struct TypeNames {
    pub(crate) agent: EntityTypeName,
    pub(crate) action: EntityTypeName,
    pub(crate) namespace: EntityTypeName,
    pub(crate) tool: EntityTypeName,
}

impl PolicyEngine for Cedar {
    fn evaluate(&self, question: &Question<'_>) -> Evaluation {
        let mut evaluation = Evaluation::default();
        let Some(record) = self.tools.get(question.tool_id) else {
            evaluation.errors.push(PolicyError::UnknownTool);
            return evaluation;
        };
        let named = self.by_tool.get(question.tool_id).into_iter().flatten();
        let mut sets = self.general.iter().chain(named).peekable();
        if sets.peek().is_none() {
            return evaluation;
        }
        match self.request(question, record) {
            Ok(request) => self.authorize(&request, sets, &mut evaluation),
            Err(error) => evaluation.errors.push(error),
        }
        evaluation
    }

    fn digest(&self) -> Digest {
        self.digest
    }
}

impl Cedar {
    fn request(&self, question: &Question<'_>, record: &Record) -> Result<Request, PolicyError> {
        let context = context(question, record)?;
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

    fn authorize<'s>(
        &self,
        request: &Request,
        sets: impl Iterator<Item = &'s PolicySet>,
        evaluation: &mut Evaluation,
    ) {
        for set in sets {
            let response = self.authorizer.is_authorized(request, set, &self.entities);
            for id in response.diagnostics().reason() {
                match self.matches.get::<str>(id.as_ref()) {
                    Some(matched) => evaluation.matched.push(matched.clone()),
                    None => evaluation.errors.push(PolicyError::UnknownTool),
                }
            }
            for AuthorizationError::PolicyEvaluationError(error) in response.diagnostics().errors()
            {
                let failed = self.matches.get::<str>(error.policy_id().as_ref());
                evaluation.errors.push(match failed {
                    Some(failed) => PolicyError::Policy(failed.policy.clone()),
                    None => PolicyError::UnknownTool,
                });
            }
        }
    }
}
