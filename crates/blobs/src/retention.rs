//! How long bytes are kept.

use std::collections::BTreeSet;

use assent_ids::UnixMillis;

use crate::Owner;

/// How long an owner wants bytes kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// Until the owner is released.
    Session,
    /// Up to this time, exclusively.
    Until(UnixMillis),
    /// As long as the store exists.
    Forever,
}

/// Everything that keeps one blob. Only sessions are kept separately, because only they are released:
/// of all fixed terms the latest counts, so a blob that is stored a million times stays as small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holds {
    term: Option<Term>,
    sessions: BTreeSet<Owner>,
}

/// A fixed term. The order is the order in which they end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    Until(UnixMillis),
    Forever,
}

impl Holds {
    /// The holds of a blob whose label was lost: a blob is not deleted because its label is missing.
    pub(crate) fn unknown() -> Self {
        Self { term: Some(Term::Forever), sessions: BTreeSet::new() }
    }

    /// From its parts, as they are stored.
    pub(crate) fn from_parts(
        until: Option<UnixMillis>,
        forever: bool,
        sessions: BTreeSet<Owner>,
    ) -> Self {
        let term = if forever { Some(Term::Forever) } else { until.map(Term::Until) };
        Self { term, sessions }
    }

    /// The latest fixed time, if there is one and it ever comes.
    pub(crate) fn until(&self) -> Option<UnixMillis> {
        match self.term {
            Some(Term::Until(time)) => Some(time),
            Some(Term::Forever) | None => None,
        }
    }

    /// Whether it is kept for good.
    pub(crate) fn is_forever(&self) -> bool {
        self.term == Some(Term::Forever)
    }

    /// The sessions that keep it.
    pub(crate) fn sessions(&self) -> &BTreeSet<Owner> {
        &self.sessions
    }

    /// Keeps it for `owner` as well. Tells whether that changed anything.
    pub(crate) fn add(&mut self, owner: Owner, retention: Retention) -> bool {
        let term = match retention {
            Retention::Session => return self.sessions.insert(owner),
            Retention::Until(time) => Some(Term::Until(time)),
            Retention::Forever => Some(Term::Forever),
        };
        let longer = term > self.term;
        self.term = self.term.max(term);
        longer
    }

    /// Ends what `owner` wanted for its session. Tells whether that changed anything.
    pub(crate) fn release(&mut self, owner: &Owner) -> bool {
        self.sessions.remove(owner)
    }

    /// Returns `true` if the blob is still kept at `now`.
    pub(crate) fn hold_at(&self, now: UnixMillis) -> bool {
        let by_term = match self.term {
            Some(Term::Until(time)) => now < time,
            Some(Term::Forever) => true,
            None => false,
        };
        by_term || !self.sessions.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Holds, Owner, Retention, UnixMillis};

    #[test]
    fn the_latest_of_several_terms_counts() {
        let (owner, at) = (Owner::new("a").unwrap(), UnixMillis::new);
        let mut holds = Holds::default();
        assert!(holds.add(owner.clone(), Retention::Until(at(20))));
        assert!(!holds.add(owner.clone(), Retention::Until(at(10))));
        assert!(holds.hold_at(at(19)));
        assert!(!holds.hold_at(at(20)));
        assert!(holds.add(owner, Retention::Forever));
        assert!(holds.hold_at(UnixMillis::MAX));
    }

    #[test]
    fn releasing_a_session_ends_only_what_was_kept_for_it() {
        let (owner, at) = (Owner::new("a").unwrap(), UnixMillis::new);
        let mut holds = Holds::default();
        holds.add(owner.clone(), Retention::Session);
        holds.add(owner.clone(), Retention::Until(at(20)));
        assert!(holds.release(&owner));
        assert!(holds.hold_at(at(19)));
        assert!(!holds.hold_at(at(20)));
    }
}
