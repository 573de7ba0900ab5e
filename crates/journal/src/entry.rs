//! Facts with their place in the journal.

use std::fmt;

use assent_ids::{InvocationId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::Fact;

/// The place of an entry in the journal: 1, 2, 3 and so on, without gaps.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The place of the first entry.
    pub const FIRST: Self = Self(1);

    /// The place after this one.
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
    /// Its place in the journal.
    pub seq: Seq,
    /// What was recorded.
    pub draft: Draft,
}

/// A fact that is about to be recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// When it happened.
    pub at: UnixMillis,
    /// The call it happened to.
    pub invocation: Option<InvocationId>,
    /// Its place among the facts of that call, from 0, without gaps.
    pub step: u32,
    /// What happened.
    pub fact: Fact,
}
