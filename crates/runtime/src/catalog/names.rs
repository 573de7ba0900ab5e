//! Which tool a name identifies. Within a namespace a name belongs to one tool. Across namespaces the primary
//! name of a tool has precedence over the alias of another, and what is still ambiguous has to be requested as
//! `namespace/name`.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::{CallableName, Namespace};

use super::Key;

/// The maximum number of tools that are listed for an ambiguous name.
const MAX_CANDIDATES: usize = 16;

/// The maximum length of a namespace, a slash and a name.
const MAX_REQUEST: usize = 2 * 256 + 1;

/// All names, each with the tools that have it, by namespace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    by_name: BTreeMap<Arc<str>, BTreeMap<Arc<str>, NameEntry>>,
}

/// A tool with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameEntry {
    pub(crate) key: Key,
    pub(crate) rank: Rank,
}

/// The precedence of a name; the first has precedence over the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// The tool's own name.
    Primary,
    /// An older name.
    Alias,
}

/// The tools that a name identifies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// No tool.
    None,
    /// One tool.
    One(Key),
    /// Several tools with the same precedence; not all of them if they are many.
    Several(Vec<Key>),
}

impl Choice {
    /// Adds a tool.
    fn add(&mut self, key: Key) {
        match self {
            Self::None => *self = Self::One(key),
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
    pub(super) fn add(&mut self, namespace: &Namespace, name: &CallableName, entry: NameEntry) {
        self.by_name.entry(name.into()).or_default().insert(namespace.into(), entry);
    }

    pub(super) fn remove(&mut self, namespace: &Namespace, name: &CallableName) {
        let Some(entries) = self.by_name.get_mut(name.as_str()) else { return };
        entries.remove(namespace.as_str());
        if entries.is_empty() {
            self.by_name.remove(name.as_str());
        }
    }

    /// The tool with the name in the namespace.
    pub(super) fn owner(&self, namespace: &str, name: &str) -> Option<NameEntry> {
        self.by_name.get(name)?.get(namespace).copied()
    }

    /// The tool that the text identifies among the wanted ones.
    pub(super) fn choose(&self, requested: &str, is_wanted: impl Fn(Key) -> bool) -> Choice {
        let mut best = Rank::Alias;
        let mut choice = Choice::None;
        for entry in self.entries(requested).filter(|entry| is_wanted(entry.key)) {
            if entry.rank < best {
                best = entry.rank;
                choice = Choice::None;
            }
            if entry.rank == best {
                choice.add(entry.key);
            }
        }
        choice
    }

    /// Every tool with this name, whatever its precedence.
    pub(super) fn all_with(&self, requested: &str) -> impl Iterator<Item = Key> {
        self.entries(requested).map(|entry| entry.key)
    }

    /// Every tool with this name: as a bare name, in the order of namespaces, then as a namespace with a name.
    /// Both may contain slashes, so there can be several ways to split the text.
    fn entries(&self, requested: &str) -> impl Iterator<Item = NameEntry> {
        let requested = if requested.len() <= MAX_REQUEST { requested } else { "" };
        let bare = self.by_name.get(requested).into_iter().flat_map(BTreeMap::values).copied();
        let qualified = requested.match_indices('/').filter_map(|(at, slash)| {
            let name = requested.get(at + slash.len()..)?;
            self.owner(requested.get(..at)?, name)
        });
        bare.chain(qualified.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, Key, NameEntry, Names, Rank};

    fn names(claims: &[(&str, &str, u32, Rank)]) -> Names {
        let mut names = Names::default();
        for (namespace, name, key, rank) in claims {
            let entry = NameEntry { key: Key(*key), rank: *rank };
            names.add(&namespace.parse().unwrap(), &name.parse().unwrap(), entry);
        }
        names
    }

    #[test]
    fn a_name_that_only_begins_like_another_does_not_lead_to_it() {
        let names = names(&[("a", "read", 1, Rank::Primary), ("a", "read_file", 2, Rank::Primary)]);
        assert_eq!(names.choose("read", |_| true), Choice::One(Key(1)));
        assert_eq!(names.choose("rea", |_| true), Choice::None);
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
        assert_eq!(names.choose("read\0a", |_| true), Choice::None);
        assert_eq!(names.choose("/read", |_| true), Choice::None);
        assert_eq!(names.choose("", |_| true), Choice::None);
    }

    #[test]
    fn many_tools_of_one_name_are_named_in_part() {
        let many: Vec<String> = (0..40).map(|number| format!("n{number}")).collect();
        let mut all = Names::default();
        for (namespace, key) in many.iter().zip(0..) {
            let entry = NameEntry { key: Key(key), rank: Rank::Primary };
            all.add(&namespace.parse().unwrap(), &"go".parse().unwrap(), entry);
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
            names.remove(&space.parse().unwrap(), &"go".parse().unwrap());
            assert_eq!(names.all_with("go").collect::<Vec<_>>(), left);
            assert_eq!(names.owner(space, "go"), None);
        }
    }

    #[test]
    fn a_name_that_is_claimed_again_belongs_to_the_last_who_did() {
        let names = names(&[("a", "go", 1, Rank::Alias), ("a", "go", 2, Rank::Primary)]);
        assert_eq!(names.all_with("go").collect::<Vec<_>>(), [Key(2)]);
        assert_eq!(names.owner("a", "go").unwrap().rank, Rank::Primary);
    }
}
