//! Which tool a name leads to. Within a namespace a name leads to one tool; across namespaces the
//! primary name of a tool goes before the alias of another, and what is still undecided has to be
//! asked for as `namespace/name`.

use std::{collections::BTreeMap, ops::Bound, sync::Arc};

use assent_ids::{CallableName, Namespace};

use super::Key;

/// So many tools are named when a name leads to several.
const MAX_CANDIDATES: usize = 16;

/// A namespace, a slash and a name are never longer than this.
const MAX_REQUEST: usize = 2 * 256 + 1;

/// All names, each followed by its namespace: exact pairs are found directly, and the namespaces that
/// share a name stand next to each other.
///
/// INVARIANT: neither part holds `SEPARATOR`, which is a control character.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(BTreeMap<Arc<str>, Claim>);

const SEPARATOR: char = '\0';

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
        self.0.insert(pair(name.as_str(), namespace.as_str()).into(), claim);
    }

    pub(super) fn release(&mut self, namespace: &Namespace, name: &CallableName) {
        self.0.remove(pair(name.as_str(), namespace.as_str()).as_str());
    }

    /// Who has the name in the namespace.
    pub(super) fn owner(&self, namespace: &str, name: &str) -> Option<Claim> {
        self.0.get(pair(name, namespace).as_str()).copied()
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

    /// Everybody who is called by the text: as a bare name, and as a namespace with a name. Both may
    /// hold slashes, so there can be several ways to cut.
    fn claims(&self, requested: &str) -> impl Iterator<Item = Claim> {
        let fits = requested.len() <= MAX_REQUEST && !requested.contains(SEPARATOR);
        let requested = if fits { requested } else { "" };
        let has_name = move |pair: &str| {
            pair.strip_prefix(requested).is_some_and(|rest| rest.starts_with(SEPARATOR))
        };
        // The separator comes before every other character, so these are the first from the name on.
        let from = (Bound::Included(requested), Bound::Unbounded);
        let bare = self.0.range::<str, _>(from).take_while(move |(pair, _)| has_name(pair));
        let qualified = requested.match_indices('/').filter_map(|(at, slash)| {
            let name = requested.get(at + slash.len()..)?;
            self.owner(requested.get(..at)?, name)
        });
        bare.map(|(_, claim)| *claim).chain(qualified.collect::<Vec<_>>())
    }
}

fn pair(name: &str, namespace: &str) -> String {
    let mut pair = String::with_capacity(name.len() + namespace.len() + 1);
    pair.push_str(name);
    pair.push(SEPARATOR);
    pair.push_str(namespace);
    pair
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
    fn the_separator_in_a_request_leads_nowhere() {
        let names = names(&[("a", "read", 1, Rank::Primary)]);
        assert_eq!(names.choose("read\0a", |_| true), Choice::Nobody);
        assert_eq!(names.choose("read\0", |_| true), Choice::Nobody);
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
}
