//! Facts about a tool that may depend on its input: a boolean, or a text that says how to find out.
//! The standard defines no grammar for the text; two forms are understood.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/tool-interface.md>

use serde::{Deserialize, Serialize};

use crate::wire::{Word, words};

/// A fact, stated or to be found out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Flag {
    /// Stated.
    Stated(bool),
    /// To be found out; see [`Self::expression`].
    Text(String),
}

/// How to find a fact out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagExpression<'a> {
    /// Ask this classifier, for the actual input.
    Classifier(&'a str),
    /// As that other fact.
    SameAs(FlagName),
    /// An unknown expression: the cautious value counts.
    Unreadable,
}

words! {
    /// The facts that may depend on the input.
    FlagName {
        /// Whether the tool may be offered.
        IsEnabled = "is_enabled",
        /// Whether it changes nothing.
        IsReadOnly = "is_read_only",
        /// Whether it may run concurrently with other calls.
        IsConcurrencySafe = "is_concurrency_safe",
        /// Whether it may destroy data.
        IsDestructive = "is_destructive",
        /// Whether it interacts with systems that are not known in advance.
        IsOpenWorld = "is_open_world",
    }
}

impl Flag {
    /// How to find it out, if it is not stated: `classifier:<id>` or `same_as:<fact>`.
    #[must_use]
    pub fn expression(&self) -> Option<FlagExpression<'_>> {
        let Self::Text(text) = self else { return None };
        Some(match text.split_once(':') {
            Some(("classifier", id)) if !id.is_empty() => FlagExpression::Classifier(id),
            Some(("same_as", name)) => {
                FlagName::find(name).map_or(FlagExpression::Unreadable, FlagExpression::SameAs)
            }
            _ => FlagExpression::Unreadable,
        })
    }
}

impl From<bool> for Flag {
    fn from(stated: bool) -> Self {
        Self::Stated(stated)
    }
}
