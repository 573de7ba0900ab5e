//! Permission decisions.

use std::{borrow::Cow, sync::Arc};

use assent_ids::{ApprovalId, DecisionId, RuleId};
use assent_json::Json;
use assent_protocol::agent_tool::{Behavior, ReasonType, RuleSource, SuggestedUpdate};
use serde::{Deserialize, Serialize};

use super::CallFacts;

/// One decision and everything that explains it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Which decision this is.
    pub id: DecisionId,
    /// What it says.
    pub behavior: Behavior,
    /// The mode it was made in.
    pub mode: Cow<'static, str>,
    /// What kind of thing decided.
    pub reason: ReasonType,
    /// Its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Cow<'static, str>>,
    /// Where the deciding rule comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<RuleSource>,
    /// The rules that spoke, the deciding one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleNote>,
    /// The policies that spoke, and the digest of the set they belong to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<String>,
    /// The input that replaces the one asked about, with sensitive values replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<Json>,
    /// Whether a person changed the input.
    #[serde(default)]
    pub user_modified: bool,
    /// What the person said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// Rules that would spare the question next time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggested: Vec<SuggestedUpdate>,
    /// Classifiers that were asked about the input, and what they said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classifiers: Vec<ClassifierNote>,
    /// Whether a permission was used that somebody had given before, and which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<Arc<str>>,
    /// The approval that allows exactly this call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalId>,
    /// When it stops being valid, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
    /// What it was about, if rules, policies, grants and the mode decided, and nobody else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub considered: Option<Box<CallFacts>>,
}

/// A rule that spoke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleNote {
    /// The rule.
    pub id: RuleId,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<RuleSource>,
}

/// What a classifier said about an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassifierNote {
    /// The classifier.
    pub classifier: String,
    /// The fact it was asked about.
    pub fact: String,
    /// Its answer; none if it failed, and then the careful value was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<bool>,
    /// How sure it is, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// Its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
