//! One change.

use assent_json::Pointer;
use serde_json::Value;

use super::Rule;

/// Something that is different in the new manifest.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Change {
    /// What was done to the document.
    pub kind: ChangeKind,
    /// Where: in the new manifest, or in the old one for something that is gone.
    pub path: String,
    /// Why it is breaking or not.
    pub rule: Rule,
    /// True if people have to be asked again.
    pub breaking: bool,
    /// What stood there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    /// What stands there now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
    /// An input that the old manifest accepts and the new one refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
    /// The change in a sentence.
    pub summary: String,
}

impl Change {
    pub(super) fn new(
        kind: ChangeKind,
        rule: Rule,
        path: &Pointer,
        summary: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            path: path.to_string(),
            rule,
            breaking: false,
            old: None,
            new: None,
            witness: None,
            summary: summary.into(),
        }
    }

    pub(super) fn from(self, old: Option<&Value>) -> Self {
        Self { old: old.cloned(), ..self }
    }

    pub(super) fn to(self, new: Option<&Value>) -> Self {
        Self { new: new.cloned(), ..self }
    }
}

/// What was done to the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The agent's version is another one.
    VersionChanged,
    /// There is a new tool.
    ToolAdded,
    /// A tool is gone.
    ToolRemoved,
    /// A tool has another name.
    ToolRenamed,
    /// A field of a tool is different.
    ToolChanged,
    /// There is a new scope.
    ScopeAdded,
    /// A scope is gone.
    ScopeRemoved,
    /// A scope has another id.
    ScopeRenamed,
    /// A field of a scope is different.
    ScopeChanged,
    /// A capability flag is different.
    FlagChanged,
    /// A field that the specification does not know is different.
    FieldChanged,
    /// The same entries stand in another order.
    OrderChanged,
    /// A property is described that was not.
    PropertyAdded,
    /// A property is not described any more.
    PropertyRemoved,
    /// A property has another name.
    PropertyRenamed,
    /// A property must be given that could be left out.
    RequiredAdded,
    /// A property may be left out that had to be given.
    RequiredRemoved,
    /// A field may have values of other types.
    TypeChanged,
    /// A value may be chosen that could not.
    EnumValueAdded,
    /// A value may not be chosen any more.
    EnumValueRemoved,
    /// A keyword of a schema is new.
    KeywordAdded,
    /// A keyword of a schema is gone.
    KeywordRemoved,
    /// A keyword of a schema is different.
    KeywordChanged,
    /// Several edits of a schema do together what none does alone.
    InputSchemaChanged,
}

/// How a field went from one value to another, as part of a sentence.
pub(super) fn becomes(old: Option<&Value>, new: Option<&Value>) -> String {
    match (old.map(shortened), new.map(shortened)) {
        (Some(old), Some(new)) => format!("is now {new} instead of {old}"),
        (None, Some(new)) => format!("is now {new}"),
        (Some(old), None) => format!("was {old} and is gone"),
        (None, None) => "is not there".to_owned(),
    }
}

/// A value as part of a sentence.
pub(super) fn shortened(value: &Value) -> String {
    const SHOWN: usize = 60;
    assent_json::shorten(&value.to_string(), SHOWN)
}
