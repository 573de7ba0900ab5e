//! Facts with their sequence numbers.

use std::fmt;

use assent_ids::{InvocationId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::Fact;

/// The sequence number of an entry: 1, 2, 3 and so on, without gaps.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The sequence number of the first entry.
    pub const FIRST: Self = Self(1);

    /// The next sequence number.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A fact that was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its sequence number.
    pub seq: Seq,
    /// The recorded fact, with its call and time.
    pub draft: Draft,
}

/// A fact that is about to be recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The time at which it happened.
    pub at: UnixMillis,
    /// The call that it is about; `None` for facts about tools.
    pub invocation: Option<InvocationId>,
    /// Its number among the facts of that call, from 0, without gaps.
    pub step: u32,
    /// The fact.
    pub fact: Fact,
}
