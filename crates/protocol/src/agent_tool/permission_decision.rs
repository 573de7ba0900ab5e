//! `tool_permission_decision`: the outcome of one permission check. Decisions are appended, never changed:
//! an `ask` and the answer to it are two records.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/permission-decision.md>

use std::borrow::Cow;

use assent_ids::{DecisionId, InvocationId, Lax, RuleId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ContentBlock, DecisionReason, Record, RecordKind, SCHEMA_VERSION, SuggestedUpdate};
use crate::wire::{Loose, Object, Open, Timestamp, present, words};

/// Who decided what about a call, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolPermissionDecision {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The id of the decision.
    pub decision_id: Lax<DecisionId>,
    /// The call.
    pub invocation_id: Lax<InvocationId>,
    /// The decision.
    pub behavior: Behavior,
    /// The time of the decision.
    pub decided_at: Timestamp,
    /// The permission mode in force.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Where the deciding rule comes from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source: Option<Open<RuleSource>>,
    /// The reason.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reason: Option<Loose<DecisionReason>>,
    /// The rules that matched.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rule_refs: Option<Vec<Lax<RuleId>>>,
    /// The policies that spoke.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub policy_refs: Option<Vec<String>>,
    /// The input as the decision changed it; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<Value>,
    /// Where that input is kept.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub updated_input_ref: Option<String>,
    /// Whether a person changed the input.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub user_modified: Option<bool>,
    /// Changes of the rules that are offered; they do nothing until an authority applies them.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub suggested_updates: Option<Vec<Loose<SuggestedUpdate>>>,
    /// A classifier that has not answered yet.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub pending_classifier_check: Option<Object>,
    /// The path that was refused.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub blocked_path: Option<String>,
    /// What a person attached to the answer.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub content_blocks: Option<Vec<Loose<ContentBlock>>>,
    /// What a person said when allowing.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub accept_feedback: Option<String>,
    /// When an `allow` ends.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolPermissionDecision {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        decision_id: impl Into<Lax<DecisionId>>,
        invocation_id: impl Into<Lax<InvocationId>>,
        behavior: Behavior,
        decided_at: Timestamp,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            decision_id: decision_id.into(),
            invocation_id: invocation_id.into(),
            behavior,
            decided_at,
            mode: None,
            source: None,
            reason: None,
            rule_refs: None,
            policy_refs: None,
            updated_input: None,
            updated_input_ref: None,
            user_modified: None,
            suggested_updates: None,
            pending_classifier_check: None,
            blocked_path: None,
            content_blocks: None,
            accept_feedback: None,
            expires_at: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolPermissionDecision {
    const KIND: RecordKind = RecordKind::ToolPermissionDecision;
}

words! {
    /// The decision.
    Behavior {
        /// The call may run.
        Allow = "allow",
        /// A person must be asked.
        Ask = "ask",
        /// The call must not run.
        Deny = "deny",
        /// No opinion; another layer decides.
        Passthrough = "passthrough",
    }
}

words! {
    /// Where a rule comes from.
    RuleSource {
        /// The user's settings.
        UserSettings = "user_settings",
        /// The project's settings.
        ProjectSettings = "project_settings",
        /// Settings of this machine for the project.
        LocalSettings = "local_settings",
        /// Settings given by a flag.
        FlagSettings = "flag_settings",
        /// Settings of the organisation.
        PolicySettings = "policy_settings",
        /// An argument of the command line.
        CliArg = "cli_arg",
        /// A command.
        Command = "command",
        /// The running session.
        Session = "session",
    }
}
