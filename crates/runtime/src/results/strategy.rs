//! The persistence strategy of a result.

use std::borrow::Cow;

use assent_blobs::BlobUri;
use assent_json::{Json, Kind, Node};
use assent_protocol::agent_tool::PersistenceStrategy as Strategy;

use super::{Limits, PersistencePolicy, Redacted, Size};

/// The persistence strategy of one result.
///
/// INVARIANT: a result that exceeds the limits is not passed on whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    strategy: Strategy,
    limits: Limits,
    size: Size,
    pub(super) reason: Cow<'static, str>,
}

impl Choice {
    /// The strategy by policy and size. A result that was read from the store is never stored again.
    #[must_use]
    pub(crate) fn new(policy: &PersistencePolicy, result: &Redacted, reads_stored: bool) -> Self {
        let (limits, size) = (policy.limits(), result.mapped().size());
        let (strategy, reason) = by_policy(policy, limits, size, result.is_redacted());
        let choice = Self { strategy, limits, size, reason };
        if reads_stored {
            choice.tightened(Strategy::NeverPersist, "it was read from what is stored already")
        } else {
            choice
        }
    }

    /// Makes the strategy at least as strict as `asked`.
    #[must_use]
    pub(crate) fn tightened(
        mut self,
        asked: Strategy,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        let strategy = stricter(self.strategy, asked);
        if strategy != self.strategy {
            self.strategy = strategy;
            self.reason = reason.into();
        }
        self
    }

    /// The strategy.
    #[must_use]
    pub(crate) fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// The reason for the strategy.
    #[must_use]
    pub(crate) fn reason(&self) -> &str {
        &self.reason
    }

    /// Returns `true` if all of it is passed on, so that it takes memory until it is delivered.
    #[must_use]
    pub(crate) fn passes_on_whole(&self) -> bool {
        let whole = [Strategy::Inline, Strategy::Redact, Strategy::NeverPersist];
        whole.contains(&self.strategy)
    }

    /// The limits.
    #[must_use]
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// The size of the result.
    #[must_use]
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Returns `true` if it exceeds the limits.
    #[must_use]
    pub(crate) fn is_over(&self) -> bool {
        !self.limits.admit(self.size)
    }
}

fn by_policy(
    policy: &PersistencePolicy,
    limits: Limits,
    size: Size,
    is_redacted: bool,
) -> (Strategy, Cow<'static, str>) {
    let is_over = !limits.admit(size);
    let small = if is_redacted { Strategy::Redact } else { Strategy::Inline };
    let strategy = match policy.strategy {
        Some(Strategy::NeverPersist) => Strategy::NeverPersist,
        Some(strategy) if policy.withholds_all() => strategy,
        Some(Strategy::Redact) if !is_over => Strategy::Redact,
        _ if !is_over => small,
        Some(strategy @ (Strategy::RefOnly | Strategy::DropWithReason)) => strategy,
        Some(Strategy::Inline | Strategy::Redact | Strategy::PreviewAndPersist) | None => {
            Strategy::PreviewAndPersist
        }
    };
    let reason = match (policy.strategy, is_over) {
        (_, true) => over(limits, size).into(),
        (Some(_), false) => "the tool asks for it".into(),
        (None, false) if is_redacted => "it held sensitive values".into(),
        (None, false) => "it is small enough".into(),
    };
    (strategy, reason)
}

fn over(limits: Limits, size: Size) -> String {
    match limits.chars {
        Some(limit) if size.chars > limit => {
            format!("it has {} characters, and {limit} are passed on whole", size.chars)
        }
        _ => {
            let limit = limits.bytes.unwrap_or_default();
            format!("it has {} bytes, and {limit} are passed on whole", size.bytes)
        }
    }
}

/// The strategy that is at least as strict as both.
///
/// ```text
/// inline < redact < preview_and_persist < ref_only      < drop_with_reason
///                                       < never_persist <
/// ```
///
/// A reference shows less and stores more than a result that is never stored. The result that satisfies both is
/// dropped.
#[must_use]
pub(crate) fn stricter(one: Strategy, other: Strategy) -> Strategy {
    match (one, other) {
        (Strategy::RefOnly, Strategy::NeverPersist)
        | (Strategy::NeverPersist, Strategy::RefOnly) => Strategy::DropWithReason,
        _ if rank(other) > rank(one) => other,
        _ => one,
    }
}

fn rank(strategy: Strategy) -> u8 {
    match strategy {
        Strategy::Inline => 0,
        Strategy::Redact => 1,
        Strategy::PreviewAndPersist => 2,
        Strategy::RefOnly | Strategy::NeverPersist => 3,
        Strategy::DropWithReason => 4,
    }
}

/// Returns `true` if an input refers to stored bytes, so that its tool reads a stored result.
#[must_use]
pub(crate) fn reads_stored_result(input: &Json) -> bool {
    names_blob(input.root())
}

fn names_blob(node: Node<'_>) -> bool {
    let in_text = |text: &str| BlobUri::first_in(text).is_some();
    match node.kind() {
        Kind::String => node.as_str().is_some_and(in_text),
        Kind::Array => node.elements().any(names_blob),
        Kind::Object => node.members().any(|(key, member)| in_text(key) || names_blob(member)),
        Kind::Null | Kind::Boolean | Kind::Number => false,
    }
}

#[cfg(test)]
mod tests;
