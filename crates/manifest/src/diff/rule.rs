//! Why a change is breaking or not.

use std::fmt;

use crate::RuleSet;

/// The reason for a verdict. Each has a page in `docs/rules/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The agent's own version plays no part.
    AgentVersionChanged,
    /// A tool under a scope that people may already have agreed to.
    ToolAdded,
    /// A tool that is gone can do no harm.
    ToolRemoved,
    /// A tool under another name.
    ToolRenamed,
    /// A tool asks for another scope that is not more sensitive.
    ToolScopeChanged,
    /// Texts that describe a tool.
    ToolTextChanged,
    /// How long a tool may run.
    ToolTimeoutChanged,
    /// Whether the agent can do without a tool.
    ToolRequiredChanged,
    /// A tool or scope became more sensitive.
    SensitivityRaised,
    /// A tool or scope became less sensitive.
    SensitivityLowered,
    /// A scope that no person has agreed to yet.
    ScopeAdded,
    /// A scope that can no longer be granted.
    ScopeRemoved,
    /// A scope under another id, which no person has agreed to yet.
    ScopeRenamed,
    /// Texts that describe a scope.
    ScopeTextChanged,
    /// A capability that the agent now claims.
    FlagAnnounced,
    /// A capability that the agent no longer claims.
    FlagWithdrawn,
    /// Inputs without a field were accepted and are refused.
    InputRequiredAdded,
    /// A field has another type.
    InputTypeChanged,
    /// Inputs with undeclared fields were accepted and are refused.
    InputClosed,
    /// A value that could be chosen is refused.
    InputEnumValueRemoved,
    /// Some input was accepted and is refused.
    InputNarrowed,
    /// Whether some input is refused could not be decided.
    InputUndecided,
    /// More inputs are accepted, and none is refused that was not.
    InputWidened,
    /// The same inputs are accepted.
    InputEquivalent,
    /// An edit that only together with others has a meaning, and with them loses nothing.
    InputEdited,
    /// Only what people read about the inputs.
    InputAnnotated,
    /// Lists whose order means nothing.
    OrderChanged,
    /// Fields that the specification does not know.
    UnknownFieldChanged,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 28] = [
        Self::AgentVersionChanged,
        Self::ToolAdded,
        Self::ToolRemoved,
        Self::ToolRenamed,
        Self::ToolScopeChanged,
        Self::ToolTextChanged,
        Self::ToolTimeoutChanged,
        Self::ToolRequiredChanged,
        Self::SensitivityRaised,
        Self::SensitivityLowered,
        Self::ScopeAdded,
        Self::ScopeRemoved,
        Self::ScopeRenamed,
        Self::ScopeTextChanged,
        Self::FlagAnnounced,
        Self::FlagWithdrawn,
        Self::InputRequiredAdded,
        Self::InputTypeChanged,
        Self::InputClosed,
        Self::InputEnumValueRemoved,
        Self::InputNarrowed,
        Self::InputUndecided,
        Self::InputWidened,
        Self::InputEquivalent,
        Self::InputEdited,
        Self::InputAnnotated,
        Self::OrderChanged,
        Self::UnknownFieldChanged,
    ];

    /// The name of the rule.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AgentVersionChanged => "agent-version-changed",
            Self::ToolAdded => "tool-added",
            Self::ToolRemoved => "tool-removed",
            Self::ToolRenamed => "tool-renamed",
            Self::ToolScopeChanged => "tool-scope-changed",
            Self::ToolTextChanged => "tool-text-changed",
            Self::ToolTimeoutChanged => "tool-timeout-changed",
            Self::ToolRequiredChanged => "tool-required-changed",
            Self::SensitivityRaised => "sensitivity-raised",
            Self::SensitivityLowered => "sensitivity-lowered",
            Self::ScopeAdded => "scope-added",
            Self::ScopeRemoved => "scope-removed",
            Self::ScopeRenamed => "scope-renamed",
            Self::ScopeTextChanged => "scope-text-changed",
            Self::FlagAnnounced => "flag-announced",
            Self::FlagWithdrawn => "flag-withdrawn",
            Self::InputRequiredAdded => "input-required-added",
            Self::InputTypeChanged => "input-type-changed",
            Self::InputClosed => "input-closed",
            Self::InputEnumValueRemoved => "input-enum-value-removed",
            Self::InputNarrowed => "input-narrowed",
            Self::InputUndecided => "input-undecided",
            Self::InputWidened => "input-widened",
            Self::InputEquivalent => "input-equivalent",
            Self::InputEdited => "input-edited",
            Self::InputAnnotated => "input-annotated",
            Self::OrderChanged => "order-changed",
            Self::UnknownFieldChanged => "unknown-field-changed",
        }
    }

    /// True if people have to be asked again.
    #[must_use]
    pub fn is_breaking(self, rules: RuleSet) -> bool {
        match self {
            Self::SensitivityRaised
            | Self::ScopeAdded
            | Self::ScopeRenamed
            | Self::InputRequiredAdded
            | Self::InputTypeChanged
            | Self::InputClosed
            | Self::InputEnumValueRemoved
            | Self::InputNarrowed
            | Self::InputUndecided => true,
            Self::ToolRemoved
            | Self::ToolRenamed
            | Self::ScopeRemoved
            | Self::FlagWithdrawn
            | Self::InputWidened
            | Self::InputEquivalent
            | Self::InputEdited
            | Self::InputAnnotated => rules == RuleSet::Strict,
            Self::AgentVersionChanged
            | Self::ToolAdded
            | Self::ToolScopeChanged
            | Self::ToolTextChanged
            | Self::ToolTimeoutChanged
            | Self::ToolRequiredChanged
            | Self::SensitivityLowered
            | Self::ScopeTextChanged
            | Self::FlagAnnounced
            | Self::OrderChanged
            | Self::UnknownFieldChanged => false,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
