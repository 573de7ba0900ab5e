//! How one fact about a tool is determined.

use assent_protocol::agent_tool::{Flag, FlagExpression, FlagName, ToolInterface};

/// Where a fact comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The producer states it.
    Known(bool),
    /// A trusted producer hints at it.
    Inferred(bool),
    /// A classifier determines it for each input.
    Classifier {
        /// The name of the classifier.
        id: Box<str>,
        /// The fact that it is asked about; a different one if this fact is `same_as` that one.
        about: FlagName,
    },
    /// It is not stated.
    Unsaid,
    /// The statement cannot be understood: an unknown form, or facts that refer to each other in a circle.
    Unreadable,
}

impl Rule {
    /// The rule for `fact`, after following references to other facts.
    pub(super) fn of(interface: &ToolInterface, fact: FlagName) -> Self {
        let mut about = fact;
        // A chain without a circle has no more links than there are facts.
        for _ in FlagName::ALL {
            let Some(flag) = stated(interface, about) else {
                // A reference to a fact that is not stated has no meaning.
                return if about == fact { Self::Unsaid } else { Self::Unreadable };
            };
            match (flag, flag.expression()) {
                (Flag::Stated(value), _) => return Self::Known(*value),
                (_, Some(FlagExpression::Classifier(id))) => {
                    return Self::Classifier { id: id.into(), about };
                }
                (_, Some(FlagExpression::SameAs(other))) => about = other,
                (_, Some(FlagExpression::Unreadable) | None) => return Self::Unreadable,
            }
        }
        Self::Unreadable
    }

    /// The rule, or the hint of a trusted producer if there is none.
    pub(super) fn or_trusted(self, hint: Option<bool>) -> Self {
        match (self, hint) {
            (Self::Unsaid, Some(hint)) => Self::Inferred(hint),
            (rule, _) => rule,
        }
    }

    /// How a record states the fact, and whether it was derived rather than stated.
    pub(super) fn exported(&self, fact: FlagName) -> (Option<Flag>, bool) {
        match self {
            Self::Known(value) => (Some(Flag::Stated(*value)), false),
            Self::Inferred(value) => (Some(Flag::Stated(*value)), true),
            Self::Classifier { id, about } if *about == fact => {
                (Some(Flag::Text(format!("classifier:{id}"))), false)
            }
            Self::Classifier { about, .. } => (Some(Flag::Text(format!("same_as:{about}"))), false),
            Self::Unsaid | Self::Unreadable => (None, true),
        }
    }
}

/// The five facts as an interface states them.
pub(super) fn flags(interface: &ToolInterface) -> [(FlagName, Option<&Flag>); 5] {
    [
        FlagName::IsEnabled,
        FlagName::IsReadOnly,
        FlagName::IsConcurrencySafe,
        FlagName::IsDestructive,
        FlagName::IsOpenWorld,
    ]
    .map(|fact| (fact, stated(interface, fact)))
}

fn stated(interface: &ToolInterface, fact: FlagName) -> Option<&Flag> {
    match fact {
        FlagName::IsEnabled => interface.is_enabled.as_ref(),
        FlagName::IsReadOnly => interface.is_read_only.as_ref(),
        FlagName::IsConcurrencySafe => interface.is_concurrency_safe.as_ref(),
        FlagName::IsDestructive => interface.is_destructive.as_ref(),
        FlagName::IsOpenWorld => interface.is_open_world.as_ref(),
    }
}
