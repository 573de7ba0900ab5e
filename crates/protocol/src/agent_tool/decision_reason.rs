//! Why a permission decision went as it did: its `reason` object.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/permission-decision.md>

use assent_ids::{Lax, RuleId};
use serde::{Deserialize, Serialize};

use crate::wire::{Object, Open, present, words};

/// What kind of thing decided, and its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DecisionReason {
    /// What kind of thing decided.
    #[serde(rename = "type")]
    pub kind: Open<ReasonType>,
    /// Its words, for people.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The rule, if one decided.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rule_ref: Option<Lax<RuleId>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl DecisionReason {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(kind: impl Into<Open<ReasonType>>) -> Self {
        Self { kind: kind.into(), message: None, rule_ref: None, extra: Object::new() }
    }
}

words! {
    /// What kind of thing decided.
    ReasonType {
        /// A rule.
        Rule = "rule",
        /// The permission mode.
        Mode = "mode",
        /// A policy engine.
        Policy = "policy",
        /// A hook.
        Hook = "hook",
        /// A classifier.
        Classifier = "classifier",
        /// The working directory.
        WorkingDir = "working_dir",
        /// A request to leave the sandbox.
        SandboxOverride = "sandbox_override",
        /// A built-in safety check.
        SafetyCheck = "safety_check",
        /// A tool that asks on behalf of a person.
        PermissionPromptTool = "permission_prompt_tool",
        /// An agent that runs without a person.
        AsyncAgent = "async_agent",
        /// The parts of a compound command.
        SubcommandResults = "subcommand_results",
        /// Something else.
        Other = "other",
    }
}
