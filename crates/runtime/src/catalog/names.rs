//! Which tool a name leads to. Within a namespace a name leads to one tool; across namespaces the
//! primary name of a tool goes before the alias of another, and what is still undecided has to be
//! asked for as `namespace/name`.

use std::{
    collections::BTreeMap,
    ops::Bound::{Excluded, Unbounded},
    sync::Arc,
};

use assent_ids::{CallableName, Namespace};

use super::Key;

/// So many tools are named when a name leads to several.
const MAX_CANDIDATES: usize = 16;

/// A namespace, a slash and a name are never longer than this.
const MAX_REQUEST: usize = 2 * 256 + 1;

/// All names, each with the namespaces in which somebody has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    by_name: BTreeMap<Arc<str>, Holders>,
}

/// Who has a name, by namespace. Mostly it is one, who needs no memory of its own.
///
/// INVARIANT: `first` is not among the others.
#[derive(Clone, Debug)]
struct Holders {
    first: (Arc<str>, Claim),
    others: BTreeMap<Arc<str>, Claim>,
}

/// A name of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) key: Key,
    pub(crate) rank: Rank,
}

/// How strong a claim to a name is; the first is the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// The tool's own name.
    Primary,
    /// An older name.
    Alias,
}

/// What a name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// No tool.
    Nobody,
    /// One tool.
    One(Key),
    /// Several with equal right; not all of them if they are many.
    Several(Vec<Key>),
}

impl Choice {
    /// One tool more that is meant.
    fn add(&mut self, key: Key) {
        match self {
            Self::Nobody => *self = Self::One(key),
            Self::One(other) if *other == key => {}
            Self::One(other) => *self = Self::Several(vec![*other, key]),
            Self::Several(keys) if keys.len() < MAX_CANDIDATES && !keys.contains(&key) => {
                keys.push(key);
            }
            Self::Several(_) => {}
        }
    }
}

impl Names {
    pub(super) fn claim(&mut self, namespace: &Namespace, name: &CallableName, claim: Claim) {
        match self.by_name.get_mut(name.as_str()) {
            Some(holders) if *holders.first.0 == *namespace.as_str() => holders.first.1 = claim,
            Some(holders) => drop(holders.others.insert(namespace.into(), claim)),
            None => {
                let first = (namespace.into(), claim);
                self.by_name.insert(name.into(), Holders { first, others: BTreeMap::new() });
            }
        }
    }

    pub(super) fn release(&mut self, namespace: &Namespace, name: &CallableName) {
        let Some(holders) = self.by_name.get_mut(name.as_str()) else { return };
        if *holders.first.0 != *namespace.as_str() {
            holders.others.remove(namespace.as_str());
            return;
        }
        match holders.others.pop_first() {
            Some(other) => holders.first = other,
            None => drop(self.by_name.remove(name.as_str())),
        }
    }

    /// Who has the name in the namespace.
    pub(super) fn owner(&self, namespace: &str, name: &str) -> Option<Claim> {
        let Holders { first: (first, claim), others } = self.by_name.get(name)?;
        if **first == *namespace { Some(*claim) } else { others.get(namespace).copied() }
    }

    /// The one tool, among those that are wanted, to which the text leads.
    pub(super) fn choose(&self, requested: &str, is_wanted: impl Fn(Key) -> bool) -> Choice {
        let mut best = Rank::Alias;
        let mut choice = Choice::Nobody;
        for claim in self.claims(requested).filter(|claim| is_wanted(claim.key)) {
            if claim.rank < best {
                best = claim.rank;
                choice = Choice::Nobody;
            }
            if claim.rank == best {
                choice.add(claim.key);
            }
        }
        choice
    }

    /// Everybody who is called by the text, however weak the claim.
    pub(super) fn everybody(&self, requested: &str) -> impl Iterator<Item = Key> {
        self.claims(requested).map(|claim| claim.key)
    }

    /// Everybody who is called by the text: as a bare name, by namespace, and as a namespace with a name.
    /// Both may hold slashes, so there can be several ways to cut.
    fn claims(&self, requested: &str) -> impl Iterator<Item = Claim> {
        let requested = if requested.len() <= MAX_REQUEST { requested } else { "" };
        let bare = self.by_name.get(requested).into_iter().flat_map(Holders::each);
        let qualified = requested.match_indices('/').filter_map(|(at, slash)| {
            let name = requested.get(at + slash.len()..)?;
            self.owner(requested.get(..at)?, name)
        });
        bare.chain(qualified.collect::<Vec<_>>())
    }
}

impl Holders {
    /// All of them, in the order of their namespaces.
    fn each(&self) -> impl Iterator<Item = Claim> {
        let (first, claim) = &self.first;
        let others = (!self.others.is_empty()).then_some(&self.others).into_iter();
        let before = (Unbounded, Excluded(&**first));
        let after = (Excluded(&**first), Unbounded);
        let before = others.clone().flat_map(move |others| others.range::<str, _>(before));
        let after = others.flat_map(move |others| others.range::<str, _>(after));
        before.map(|(_, claim)| *claim).chain([*claim]).chain(after.map(|(_, claim)| *claim))
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, Claim, Key, Names, Rank};

    fn names(claims: &[(&str, &str, u32, Rank)]) -> Names {
        let mut names = Names::default();
        for (namespace, name, key, rank) in claims {
            let claim = Claim { key: Key(*key), rank: *rank };
            names.claim(&namespace.parse().unwrap(), &name.parse().unwrap(), claim);
        }
        names
    }

    #[test]
    fn a_name_that_only_begins_like_another_does_not_lead_to_it() {
        let names = names(&[("a", "read", 1, Rank::Primary), ("a", "read_file", 2, Rank::Primary)]);
        assert_eq!(names.choose("read", |_| true), Choice::One(Key(1)));
        assert_eq!(names.choose("rea", |_| true), Choice::Nobody);
    }

    #[test]
    fn every_way_to_cut_a_text_at_a_slash_is_tried() {
        let names = names(&[("a/b", "c/d", 1, Rank::Primary)]);
        assert_eq!(names.choose("a/b/c/d", |_| true), Choice::One(Key(1)));
        assert_eq!(names.choose("c/d", |_| true), Choice::One(Key(1)));
    }

    #[test]
    fn a_name_with_a_slash_cannot_stand_in_for_a_tool_of_that_namespace() {
        let names =
            names(&[("bank", "pay", 1, Rank::Primary), ("x", "bank/pay", 2, Rank::Primary)]);
        assert_eq!(names.choose("bank/pay", |_| true), Choice::Several(vec![Key(2), Key(1)]));
        assert_eq!(names.choose("x/bank/pay", |_| true), Choice::One(Key(2)));
    }

    #[test]
    fn what_is_no_name_leads_nowhere() {
        let names = names(&[("a", "read", 1, Rank::Primary)]);
        assert_eq!(names.choose("read\0a", |_| true), Choice::Nobody);
        assert_eq!(names.choose("/read", |_| true), Choice::Nobody);
        assert_eq!(names.choose("", |_| true), Choice::Nobody);
    }

    #[test]
    fn many_tools_of_one_name_are_named_in_part() {
        let many: Vec<String> = (0..40).map(|number| format!("n{number}")).collect();
        let mut all = Names::default();
        for (namespace, key) in many.iter().zip(0..) {
            let claim = Claim { key: Key(key), rank: Rank::Primary };
            all.claim(&namespace.parse().unwrap(), &"go".parse().unwrap(), claim);
        }
        let Choice::Several(keys) = all.choose("go", |_| true) else { panic!("not ambiguous") };
        assert_eq!(keys.len(), super::MAX_CANDIDATES);
        assert_eq!(all.choose("go", |key| key == Key(39)), Choice::One(Key(39)));
    }

    #[test]
    fn a_name_that_was_given_up_leads_to_those_who_still_have_it() {
        let claims = [("c", 3), ("a", 1), ("b", 2)];
        let mut names = names(&claims.map(|(space, key)| (space, "go", key, Rank::Primary)));
        let all = Choice::Several(vec![Key(1), Key(2), Key(3)]);
        assert_eq!(names.choose("go", |_| true), all, "in the order of their namespaces");
        for (space, left) in [("c", vec![Key(1), Key(2)]), ("b", vec![Key(1)]), ("a", Vec::new())] {
            names.release(&space.parse().unwrap(), &"go".parse().unwrap());
            assert_eq!(names.everybody("go").collect::<Vec<_>>(), left);
            assert_eq!(names.owner(space, "go"), None);
        }
    }

    #[test]
    fn a_name_that_is_claimed_again_belongs_to_the_last_who_did() {
        let names = names(&[("a", "go", 1, Rank::Alias), ("a", "go", 2, Rank::Primary)]);
        assert_eq!(names.everybody("go").collect::<Vec<_>>(), [Key(2)]);
        assert_eq!(names.owner("a", "go").unwrap().rank, Rank::Primary);
    }
}
