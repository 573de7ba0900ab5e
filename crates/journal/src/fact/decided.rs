//! Permission decisions.

use std::{borrow::Cow, sync::Arc};

use assent_ids::{ApprovalId, DecisionId, RuleId};
use assent_json::Json;
use assent_protocol::agent_tool::{Behavior, ReasonType, RuleSource, SuggestedUpdate};
use serde::{Deserialize, Serialize};

use super::CallFacts;

/// A decision with everything that explains it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// The id of the decision.
    pub id: DecisionId,
    /// The decision.
    pub behavior: Behavior,
    /// The mode it was made in.
    pub mode: Cow<'static, str>,
    /// The kind of the deciding reason.
    pub reason: ReasonType,
    /// The reason in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Cow<'static, str>>,
    /// Where the deciding rule comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<RuleSource>,
    /// The rules that took part, the deciding one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleNote>,
    /// The policies that took part, and the digest of their set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<String>,
    /// The input that the person provided instead, with sensitive values replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<Json>,
    /// Whether a person changed the input.
    #[serde(default)]
    pub user_modified: bool,
    /// The comment of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// Rules that would make the question unnecessary next time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggested: Vec<SuggestedUpdate>,
    /// The answers of classifiers about the input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classifiers: Vec<ClassifierNote>,
    /// The grant that was used, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<Arc<str>>,
    /// The approval that allows exactly this call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalId>,
    /// When it expires, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
    /// The facts on which it is based, if rules, policies, grants and the mode decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub considered: Option<Box<CallFacts>>,
}

/// A rule that took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleNote {
    /// The rule.
    pub id: RuleId,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<RuleSource>,
}

/// The answer of a classifier about an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassifierNote {
    /// The classifier.
    pub classifier: String,
    /// The fact.
    pub fact: String,
    /// Its answer; `None` if it failed, and then the conservative value was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<bool>,
    /// Its confidence, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// Its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
