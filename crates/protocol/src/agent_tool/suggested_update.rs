//! Changes of the rules that a decision offers. Storing one changes nothing; an authority applies it.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/permission-decision.md>

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Behavior, RuleSource};
use crate::wire::{Object, Open};

/// A change that is offered. The standard names the kinds in words; the shapes are ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SuggestedUpdate {
    /// Adds rules.
    AddRules(RulesUpdate),
    /// Replaces the rules of that behavior and destination.
    ReplaceRules(RulesUpdate),
    /// Removes rules.
    RemoveRules(RulesUpdate),
    /// Changes the permission mode.
    SetMode(ModeUpdate),
    /// Adds working directories.
    AddDirectories(DirectoriesUpdate),
    /// Removes working directories.
    RemoveDirectories(DirectoriesUpdate),
}

/// Rules and where they go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesUpdate {
    /// What the rules decide.
    pub behavior: Behavior,
    /// Where they are kept.
    pub destination: Open<RuleSource>,
    /// The rules, in the language of the destination.
    pub rules: Vec<Value>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// A mode and where it is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeUpdate {
    /// The mode.
    pub mode: String,
    /// Where it is set.
    pub destination: Open<RuleSource>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// Directories and where they are listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectoriesUpdate {
    /// The directories.
    pub directories: Vec<String>,
    /// Where they are listed.
    pub destination: Open<RuleSource>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}
