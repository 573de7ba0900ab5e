//! Objects: which members there must be, which there must not be, and what is asked of each.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Goal, Literal, Outcome, STEP_UNITS, Solver};
use crate::compare::{
    budget::text_units,
    formula::{Atom, Id, Kinds, ValueKind},
};

/// More members than this are not put into a witness.
const MAX_MEMBERS: u64 = 1_000;

/// More breaches than this are not placed: each is placed inside the one before.
const MAX_BREACHES: usize = 200;

/// With more patterns there are more than 2^6 classes of names.
const MAX_PATTERNS: usize = 6;

/// What sorting one atom by the member that it is about costs.
const ATOM_UNITS: usize = 3;

/// What the atoms say about an object.
#[derive(Default)]
struct Wanted<'a> {
    /// Members that must be there, with what is asked of their values beyond the rules.
    present: BTreeMap<String, Vec<Literal>>,
    absent: BTreeSet<&'a str>,
    /// The names with rules of their own, in the order of the rules.
    mentioned: Vec<&'a str>,
    members: BTreeMap<&'a str, Vec<Id>>,
    matching: Vec<(&'a str, Id)>,
    others: Vec<(&'a [String], &'a [String], Id)>,
    names: Vec<Id>,
    /// Some member must break a rule; which one is still open.
    breaches: Vec<Breach<'a>>,
    at_least: u64,
    at_most: Option<u64>,
    never: bool,
}

/// A member must exist whose name is of this kind and whose value is not as the rule says.
#[derive(Clone, Copy)]
enum Breach<'a> {
    Matching(&'a str, Id),
    Other(&'a [String], &'a [String], Id),
    Name(Id),
}

impl Solver<'_> {
    pub(super) fn solve_object(&mut self, atoms: &[(&Atom, bool)]) -> Outcome {
        if !self.budget.spend(ATOM_UNITS * atoms.len()) {
            return Outcome::Unknown;
        }
        let wanted = wanted(atoms);
        let contradiction = wanted.present.keys().any(|name| wanted.absent.contains(name.as_str()));
        let too_few = wanted.at_most.is_some_and(|most| most < wanted.at_least);
        if wanted.never || contradiction || too_few {
            return Outcome::Impossible;
        }
        if wanted.breaches.len() > MAX_BREACHES {
            return Outcome::Unknown;
        }
        self.place_member_breaches(&wanted, &wanted.breaches, wanted.present.clone())
    }

    /// Decides, one after another, which member commits each breach.
    fn place_member_breaches(
        &mut self,
        wanted: &Wanted<'_>,
        breaches: &[Breach<'_>],
        present: BTreeMap<String, Vec<Literal>>,
    ) -> Outcome {
        if !self.budget.spend(STEP_UNITS) {
            return Outcome::Unknown;
        }
        let Some((&breach, rest)) = breaches.split_first() else {
            return self.fill_members(wanted, present);
        };
        let Some(names) = self.known_names(wanted, &present) else { return Outcome::Unknown };
        let on_known_name =
            self.try_each(names, |solver, name| match solver.can_commit(&name, breach) {
                None => Outcome::Unknown,
                Some(false) => Outcome::Impossible,
                Some(true) => solver.place_on(wanted, &name, breach, rest, &present),
            });
        match on_known_name {
            Outcome::Found(value) => Outcome::Found(value),
            Outcome::Impossible => self.place_on_new_name(wanted, breach, rest, &present),
            Outcome::Unknown => match self.place_on_new_name(wanted, breach, rest, &present) {
                Outcome::Found(value) => Outcome::Found(value),
                Outcome::Impossible | Outcome::Unknown => Outcome::Unknown,
            },
        }
    }

    /// Lets the member `name` commit a breach, then places the others.
    fn place_on(
        &mut self,
        wanted: &Wanted<'_>,
        name: &str,
        breach: Breach<'_>,
        rest: &[Breach<'_>],
        present: &BTreeMap<String, Vec<Literal>>,
    ) -> Outcome {
        if !self.budget.spend(names_units(present.keys())) {
            return Outcome::Unknown;
        }
        self.place_member_breaches(wanted, rest, with_member(present, name, breach))
    }

    /// Invents a name for a breach: one of each class that the patterns tell apart.
    fn place_on_new_name(
        &mut self,
        wanted: &Wanted<'_>,
        breach: Breach<'_>,
        rest: &[Breach<'_>],
        present: &BTreeMap<String, Vec<Literal>>,
    ) -> Outcome {
        let Some(classes) = self.name_classes(wanted) else { return Outcome::Unknown };
        self.try_each(classes, |solver, class| {
            match solver.new_name(wanted, &class, Some(breach), present) {
                Outcome::Found(Value::String(name)) => {
                    solver.place_on(wanted, &name, breach, rest, present)
                }
                Outcome::Impossible => Outcome::Impossible,
                _ => Outcome::Unknown,
            }
        })
    }

    /// A name that is not known, matches the patterns of `class` and no others, and can commit the
    /// breach.
    fn new_name(
        &mut self,
        wanted: &Wanted<'_>,
        class: &[(&str, bool)],
        breach: Option<Breach<'_>>,
        present: &BTreeMap<String, Vec<Literal>>,
    ) -> Outcome {
        let mut goal = Goal::new();
        goal.insert((self.arena.atom(Atom::Kinds(Kinds::of(&[ValueKind::String]))), true));
        goal.extend(wanted.names.iter().map(|id| (*id, true)));
        for (pattern, matches) in class {
            goal.insert((self.arena.atom(Atom::Matches((*pattern).to_owned())), *matches));
        }
        let Some(known) = self.known_names(wanted, present) else { return Outcome::Unknown };
        if !self.budget.spend(names_units(&wanted.absent)) {
            return Outcome::Unknown;
        }
        for name in known.into_iter().chain(wanted.absent.iter().map(|name| (*name).to_owned())) {
            goal.insert((self.arena.atom(Atom::StringIs(name)), false));
        }
        match breach {
            Some(Breach::Matching(pattern, _)) => {
                goal.insert((self.arena.atom(Atom::Matches(pattern.to_owned())), true));
            }
            Some(Breach::Other(names, patterns, _)) => {
                if !self.budget.spend(names_units(names)) {
                    return Outcome::Unknown;
                }
                for name in names {
                    goal.insert((self.arena.atom(Atom::StringIs(name.clone())), false));
                }
                for pattern in patterns {
                    goal.insert((self.arena.atom(Atom::Matches(pattern.clone())), false));
                }
            }
            Some(Breach::Name(names)) => {
                goal.insert((names, false));
            }
            None => {}
        }
        self.solve(&goal)
    }

    /// True if a member of this name can commit the breach.
    fn can_commit(&mut self, name: &str, breach: Breach<'_>) -> Option<bool> {
        match breach {
            Breach::Matching(pattern, _) => self.matches(pattern, name),
            Breach::Other(names, patterns, _) => self.is_other(name, names, patterns),
            Breach::Name(names) => self.is_name(name, &[(names, false)]),
        }
    }

    fn is_other(&mut self, name: &str, names: &[String], patterns: &[String]) -> Option<bool> {
        // INVARIANT: the names of an atom about other members are sorted.
        if names.binary_search_by(|known| known.as_str().cmp(name)).is_ok() {
            return Some(false);
        }
        for pattern in patterns {
            if self.matches(pattern, name)? {
                return Some(false);
            }
        }
        self.budget.spend(1).then_some(true)
    }

    fn matches(&mut self, pattern: &str, name: &str) -> Option<bool> {
        if !self.budget.spend(1 + name.len()) {
            return None;
        }
        self.patterns.is_match(pattern, name)
    }

    /// The names that some rule mentions, and those that are already in use; not the forbidden ones.
    fn known_names(
        &mut self,
        wanted: &Wanted<'_>,
        present: &BTreeMap<String, Vec<Literal>>,
    ) -> Option<Vec<String>> {
        let excepted = wanted.exceptions().flat_map(|(names, _)| names.iter().map(String::as_str));
        let mentioned = wanted.mentioned.iter().copied().chain(excepted);
        let mut seen: BTreeSet<&str> = wanted.absent.clone();
        let mut names = Vec::new();
        for name in present.keys().map(String::as_str).chain(mentioned) {
            if !self.budget.spend(text_units(name)) {
                return None;
            }
            if seen.insert(name) {
                names.push(name.to_owned());
            }
        }
        Some(names)
    }

    fn name_classes<'w>(&mut self, wanted: &Wanted<'w>) -> Option<Vec<Vec<(&'w str, bool)>>> {
        let patterns: usize = wanted.exceptions().map(|(_, patterns)| 1 + patterns.len()).sum();
        if !self.budget.spend(patterns + wanted.matching.len()) {
            return None;
        }
        wanted.name_classes()
    }

    /// True if `name`, taken as a value, is as `literals` say.
    fn is_name(&mut self, name: &str, literals: &[Literal]) -> Option<bool> {
        let mut goal: Goal = literals.iter().copied().collect();
        goal.insert((crate::compare::lower::constant(self.arena, &Value::from(name)), true));
        match self.solve(&goal) {
            Outcome::Found(_) => Some(true),
            Outcome::Impossible => Some(false),
            Outcome::Unknown => None,
        }
    }

    /// Finds a value for every member, and more members where there must be more.
    fn fill_members(
        &mut self,
        wanted: &Wanted<'_>,
        mut present: BTreeMap<String, Vec<Literal>>,
    ) -> Outcome {
        if wanted.at_most.is_some_and(|most| present.len() as u64 > most) {
            // Another name might have committed two breaches at once. Names of one class are all
            // alike, but for what `propertyNames` says of them.
            let names_differ = wanted.breaches.iter().any(|b| matches!(b, Breach::Name(_)));
            let sure = wanted.breaches.len() < 2 || !names_differ;
            return if sure { Outcome::Impossible } else { Outcome::Unknown };
        }
        if wanted.at_least > MAX_MEMBERS {
            return Outcome::Unknown;
        }
        let mut object = Map::new();
        let mut unknown = false;
        for (name, asked) in &present {
            if self.budget.is_exhausted() {
                return Outcome::Unknown;
            }
            match self.member(wanted, name, asked) {
                Outcome::Found(value) => {
                    object.insert(name.clone(), value);
                }
                Outcome::Impossible => return Outcome::Impossible,
                Outcome::Unknown => unknown = true,
            }
        }
        if unknown {
            return Outcome::Unknown;
        }
        while (object.len() as u64) < wanted.at_least {
            match self.one_more(wanted, &mut present) {
                Some(Ok((name, value))) => {
                    object.insert(name, value);
                }
                Some(Err(())) => return Outcome::Unknown,
                None => return Outcome::Impossible,
            }
        }
        Outcome::Found(Value::Object(object))
    }

    /// A member that no atom requires. `None` if there can be no more, an error if that is not sure.
    fn one_more(
        &mut self,
        wanted: &Wanted<'_>,
        present: &mut BTreeMap<String, Vec<Literal>>,
    ) -> Option<Result<(String, Value), ()>> {
        let mut unsure = false;
        let Some(known) = self.known_names(wanted, present) else { return Some(Err(())) };
        for name in known {
            if present.contains_key(&name) {
                continue;
            }
            if self.budget.is_exhausted() {
                return Some(Err(()));
            }
            match self.member(wanted, &name, &[]) {
                Outcome::Found(value) => {
                    present.insert(name.clone(), Vec::new());
                    return Some(Ok((name, value)));
                }
                Outcome::Impossible => {}
                Outcome::Unknown => unsure = true,
            }
        }
        let Some(classes) = self.name_classes(wanted) else { return Some(Err(())) };
        for class in classes {
            match self.new_name(wanted, &class, None, present) {
                Outcome::Found(Value::String(name)) => match self.member(wanted, &name, &[]) {
                    Outcome::Found(value) => {
                        present.insert(name.clone(), Vec::new());
                        return Some(Ok((name, value)));
                    }
                    Outcome::Impossible => {}
                    Outcome::Unknown => unsure = true,
                },
                Outcome::Impossible => {}
                _ => unsure = true,
            }
        }
        unsure.then_some(Err(()))
    }

    /// A value for the member `name` that keeps all rules and is as `asked`.
    fn member(&mut self, wanted: &Wanted<'_>, name: &str, asked: &[Literal]) -> Outcome {
        let rules = wanted.names.len() + wanted.matching.len() + wanted.others.len();
        if !self.budget.spend(rules + asked.len() + text_units(name)) {
            return Outcome::Unknown;
        }
        let name_rules: Vec<Literal> = wanted.names.iter().map(|id| (*id, true)).collect();
        if !name_rules.is_empty() {
            match self.is_name(name, &name_rules) {
                Some(true) => {}
                Some(false) => return Outcome::Impossible,
                None => return Outcome::Unknown,
            }
        }
        let mut goal: Goal = asked.iter().copied().collect();
        goal.extend(wanted.members.get(name).into_iter().flatten().map(|id| (*id, true)));
        for (pattern, id) in &wanted.matching {
            match self.matches(pattern, name) {
                Some(true) => {
                    goal.insert((*id, true));
                }
                Some(false) => {}
                None => return Outcome::Unknown,
            }
        }
        for (names, patterns, id) in &wanted.others {
            match self.is_other(name, names, patterns) {
                Some(true) => {
                    goal.insert((*id, true));
                }
                Some(false) => {}
                None => return Outcome::Unknown,
            }
        }
        self.solve(&goal)
    }
}

impl<'a> Wanted<'a> {
    /// The names and patterns that do not count as other members, for each rule and breach.
    fn exceptions(&self) -> impl Iterator<Item = (&'a [String], &'a [String])> {
        let rules = self.others.iter().map(|(names, patterns, _)| (*names, *patterns));
        let breaches = self.breaches.iter().filter_map(|breach| match breach {
            Breach::Other(names, patterns, _) => Some((*names, *patterns)),
            Breach::Matching(..) | Breach::Name(_) => None,
        });
        rules.chain(breaches)
    }

    /// All ways in which a name can match the patterns of the rules.
    fn name_classes(&self) -> Option<Vec<Vec<(&'a str, bool)>>> {
        let matching = self.matching.iter().map(|(pattern, _)| *pattern);
        let breached = self.breaches.iter().filter_map(|breach| match breach {
            Breach::Matching(pattern, _) => Some(*pattern),
            Breach::Other(..) | Breach::Name(_) => None,
        });
        let excepted =
            self.exceptions().flat_map(|(_, patterns)| patterns.iter().map(String::as_str));
        let patterns: BTreeSet<&str> = matching.chain(breached).chain(excepted).collect();
        if patterns.len() > MAX_PATTERNS {
            return None;
        }
        let mut classes = vec![Vec::new()];
        for pattern in patterns {
            classes = classes
                .into_iter()
                .flat_map(|class| {
                    // Names that match nothing make the simplest witnesses.
                    [false, true].map(|matches| {
                        let mut class = class.clone();
                        class.push((pattern, matches));
                        class
                    })
                })
                .collect();
        }
        Some(classes)
    }
}

/// What a copy of the names costs.
fn names_units(names: impl IntoIterator<Item = impl AsRef<str>>) -> usize {
    names.into_iter().map(|name| text_units(name.as_ref())).sum()
}

fn with_member(
    present: &BTreeMap<String, Vec<Literal>>,
    name: &str,
    breach: Breach<'_>,
) -> BTreeMap<String, Vec<Literal>> {
    let mut present = present.clone();
    let asked = present.entry(name.to_owned()).or_default();
    match breach {
        Breach::Matching(_, id) | Breach::Other(_, _, id) => asked.push((id, false)),
        Breach::Name(_) => {}
    }
    present
}

fn wanted<'a>(atoms: &'a [(&'a Atom, bool)]) -> Wanted<'a> {
    let mut wanted = Wanted::default();
    for (atom, holds) in atoms {
        match (atom, holds) {
            (Atom::Has(name), true) => {
                wanted.present.entry(name.clone()).or_default();
            }
            (Atom::Has(name), false) => {
                wanted.absent.insert(name);
            }
            (Atom::Member(name, id), true) => {
                wanted.mentioned.push(name);
                wanted.members.entry(name).or_default().push(*id);
            }
            (Atom::Member(name, id), false) => {
                wanted.present.entry(name.clone()).or_default().push((*id, false));
            }
            (Atom::MatchingMembers(pattern, id), true) => wanted.matching.push((pattern, *id)),
            (Atom::MatchingMembers(pattern, id), false) => {
                wanted.breaches.push(Breach::Matching(pattern, *id));
            }
            (Atom::OtherMembers(names, patterns, id), true) => {
                wanted.others.push((names, patterns, *id));
            }
            (Atom::OtherMembers(names, patterns, id), false) => {
                wanted.breaches.push(Breach::Other(names, patterns, *id));
            }
            (Atom::Names(id), true) => wanted.names.push(*id),
            (Atom::Names(id), false) => wanted.breaches.push(Breach::Name(*id)),
            (Atom::MembersAtLeast(least), true) => wanted.at_least = wanted.at_least.max(*least),
            (Atom::MembersAtMost(most), false) => {
                wanted.at_least = wanted.at_least.max(most.saturating_add(1));
            }
            (Atom::MembersAtMost(most), true) => wanted.limit(*most),
            (Atom::MembersAtLeast(0), false) => wanted.never = true,
            (Atom::MembersAtLeast(least), false) => wanted.limit(least - 1),
            _ => {}
        }
    }
    wanted
}

impl Wanted<'_> {
    fn limit(&mut self, most: u64) {
        self.at_most = Some(self.at_most.map_or(most, |known| known.min(most)));
    }
}
