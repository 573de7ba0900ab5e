//! Arrays: how long, what at each place, what somewhere, and whether items repeat.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Goal, Literal, Outcome, STEP_UNITS, Solver};
use crate::compare::{
    budget::value_units,
    formula::{Atom, Id},
    lower::constant,
};

/// More ways to break rules about contained items are not tried.
const MAX_ALTERNATIVES: usize = 1 << 10;

/// Longer arrays are not tried.
const MAX_ITEMS: u64 = 400;

/// Up to this length, the places of `contains` are tried in every combination.
const MAX_COMBINED: usize = 10;

/// What the atoms say about an array.
#[derive(Clone, Default)]
struct Wanted {
    at: BTreeMap<u64, Vec<Literal>>,
    from: Vec<(u64, Id)>,
    /// Somewhere from this index on there must be an item that is not as the formula says.
    breaches: Vec<(u64, Id)>,
    contains: Vec<Contains>,
    distinct: bool,
    repeated: bool,
    at_least: u64,
    at_most: Option<u64>,
    never: bool,
}

#[derive(Clone, Copy)]
struct Contains {
    item: Id,
    at_least: u64,
    at_most: Option<u64>,
}

impl Solver<'_> {
    pub(super) fn solve_array(&mut self, atoms: &[(&Atom, bool)]) -> Outcome {
        let broken = atoms.iter().filter(|(atom, holds)| is_contains(atom) && !holds).count();
        let ways = 1_usize.checked_shl(u32::try_from(broken).unwrap_or(u32::MAX));
        let Some(ways) = ways.filter(|ways| *ways <= MAX_ALTERNATIVES) else {
            return Outcome::Unknown;
        };
        if !self.budget.spend(ways.saturating_mul(atoms.len())) {
            return Outcome::Unknown;
        }
        self.try_each(alternatives(atoms), |solver, wanted| solver.solve_wanted(&wanted))
    }

    fn solve_wanted(&mut self, wanted: &Wanted) -> Outcome {
        let most = wanted.at_most.unwrap_or(u64::MAX);
        if wanted.never || (wanted.distinct && wanted.repeated) || wanted.at_least > most {
            return Outcome::Impossible;
        }
        // A longer solution could be shortened: from `enough` on, some item is neither at a place
        // that a rule mentions nor needed by anything.
        let mentioned = wanted.at.keys().map(|index| index + 1);
        let starts = wanted.from.iter().chain(&wanted.breaches).map(|(start, _)| *start);
        let special = mentioned.chain(starts).max().unwrap_or(0);
        let contained = wanted
            .contains
            .iter()
            .fold(0_u64, |sum, contains| sum.saturating_add(contains.at_least));
        let enough = special
            .saturating_add(wanted.breaches.len() as u64)
            .saturating_add(contained)
            .saturating_add(if wanted.repeated { 2 } else { 0 })
            .max(wanted.at_least)
            .min(most);
        if enough > MAX_ITEMS {
            return Outcome::Unknown;
        }
        self.try_each(wanted.at_least..=enough, |solver, length| {
            solver.solve_length(wanted, length, special)
        })
    }

    fn solve_length(&mut self, wanted: &Wanted, length: u64, special: u64) -> Outcome {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let placed: usize = wanted.at.values().map(Vec::len).sum();
        let rules = wanted.from.len().saturating_add(1);
        if !self.budget.spend(placed.saturating_add(length.saturating_mul(rules))) {
            return Outcome::Unknown;
        }
        let goals = (0..length as u64)
            .map(|index| {
                let mut goal: Goal = wanted.at.get(&index).into_iter().flatten().copied().collect();
                let rules = wanted.from.iter().filter(|(start, _)| *start <= index);
                goal.extend(rules.map(|(_, id)| (*id, true)));
                goal
            })
            .collect();
        let special = usize::try_from(special).unwrap_or(usize::MAX);
        self.place_item_breaches(wanted, &wanted.breaches, goals, special)
    }

    /// Decides at which place each breach happens.
    fn place_item_breaches(
        &mut self,
        wanted: &Wanted,
        breaches: &[(u64, Id)],
        goals: Vec<Goal>,
        special: usize,
    ) -> Outcome {
        if !self.budget.spend(STEP_UNITS) {
            return Outcome::Unknown;
        }
        let Some((&(start, id), rest)) = breaches.split_first() else {
            return self.place_contained(&wanted.contains, wanted, goals);
        };
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let size = goals_units(&goals);
        self.try_each(start..goals.len(), |solver, index| {
            // Behind the special places all are alike until something is placed there.
            let alike = index > special && goals.get(index) == goals.get(index - 1);
            if alike {
                return Outcome::Impossible;
            }
            if !solver.budget.spend(size) {
                return Outcome::Unknown;
            }
            let mut goals = goals.clone();
            if let Some(goal) = goals.get_mut(index) {
                goal.insert((id, false));
            }
            solver.place_item_breaches(wanted, rest, goals, special)
        })
    }

    /// Decides which items `contains` counts.
    fn place_contained(
        &mut self,
        contains: &[Contains],
        wanted: &Wanted,
        goals: Vec<Goal>,
    ) -> Outcome {
        let Some((first, rest)) = contains.split_first() else {
            return self.place_repeated(wanted, &goals);
        };
        let length = goals.len() as u64;
        let most = first.at_most.map_or(first.at_least, |most| most.min(length));
        if first.at_least > length {
            return Outcome::Impossible;
        }
        if first.at_least == 0 && first.at_most.is_none() {
            return self.place_contained(rest, wanted, goals);
        }
        if goals.len() > MAX_COMBINED {
            return Outcome::Unknown;
        }
        let counts = first.at_least..=most;
        let combinations = (0_u32..(1 << goals.len()))
            .filter(|chosen| counts.contains(&u64::from(chosen.count_ones())));
        let size = goals_units(&goals);
        self.try_each(combinations, |solver, chosen| {
            if !solver.budget.spend(STEP_UNITS + size) {
                return Outcome::Unknown;
            }
            let mut goals = goals.clone();
            for (index, goal) in goals.iter_mut().enumerate() {
                if chosen >> index & 1 == 1 {
                    goal.insert((first.item, true));
                } else if first.at_most.is_some() {
                    goal.insert((first.item, false));
                }
            }
            solver.place_contained(rest, wanted, goals)
        })
    }

    /// If two items must be equal, decides which ones.
    fn place_repeated(&mut self, wanted: &Wanted, goals: &[Goal]) -> Outcome {
        if !wanted.repeated {
            return self.fill_items(wanted, goals);
        }
        let pairs =
            (1..goals.len()).flat_map(|second| (0..second).map(move |first| [first, second]));
        let size = goals_units(goals);
        self.try_each(pairs, |solver, pair| {
            let both = pair.into_iter().filter_map(|at| goals.get(at)).flatten();
            let value = match solver.solve(&both.copied().collect()) {
                Outcome::Found(value) => value,
                other => return other,
            };
            if !solver.budget.spend(size + value_units(&value)) {
                return Outcome::Unknown;
            }
            let mut goals = goals.to_vec();
            let same = Goal::from([(constant(solver.arena, &value), true)]);
            for at in pair {
                if let Some(goal) = goals.get_mut(at) {
                    goal.clone_from(&same);
                }
            }
            solver.fill_items(wanted, &goals)
        })
    }

    fn fill_items(&mut self, wanted: &Wanted, goals: &[Goal]) -> Outcome {
        let mut items: Vec<Value> = Vec::with_capacity(goals.len());
        let mut known: BTreeMap<&Goal, Value> = BTreeMap::new();
        for goal in goals {
            let item = if wanted.distinct {
                self.another(goal, &items)
            } else if let Some(value) = known.get(goal) {
                Outcome::Found(value.clone())
            } else {
                self.solve(goal)
            };
            match item {
                Outcome::Found(value) => {
                    // The copy, and this value as a part of what is around it.
                    if !self.budget.spend(2 * value_units(&value)) {
                        return Outcome::Unknown;
                    }
                    known.insert(goal, value.clone());
                    items.push(value);
                }
                Outcome::Impossible if wanted.distinct && !items.is_empty() => {
                    // An earlier item may have taken the only value. If all places ask for the
                    // same, it does not matter which one took it.
                    let uniform = goals.iter().all(|other| other == goal);
                    return if uniform { Outcome::Impossible } else { Outcome::Unknown };
                }
                other => return other,
            }
        }
        Outcome::Found(Value::Array(items))
    }

    /// An item that is not among `items`.
    fn another(&mut self, goal: &Goal, items: &[Value]) -> Outcome {
        let mut goal = goal.clone();
        if !self.budget.spend(goal.len() + items.iter().map(value_units).sum::<usize>()) {
            return Outcome::Unknown;
        }
        for item in items {
            goal.insert((constant(self.arena, item), false));
        }
        self.solve(&goal)
    }
}

/// What a copy of the goals costs.
fn goals_units(goals: &[Goal]) -> usize {
    goals.iter().map(|goal| 1 + goal.len()).sum()
}

fn is_contains(atom: &Atom) -> bool {
    matches!(atom, Atom::Contains(..))
}

/// What the atoms ask for. Breaking `contains` can be done in two ways: too few or too many.
fn alternatives(atoms: &[(&Atom, bool)]) -> Vec<Wanted> {
    let mut alternatives = vec![Wanted::default()];
    for (atom, holds) in atoms {
        if let (Atom::Contains(item, least, most), false) = (atom, holds) {
            let too_few = least.checked_sub(1).map(|most| Contains {
                item: *item,
                at_least: 0,
                at_most: Some(most),
            });
            let too_many = most.and_then(|most| most.checked_add(1)).map(|least| Contains {
                item: *item,
                at_least: least,
                at_most: None,
            });
            alternatives = alternatives
                .into_iter()
                .flat_map(|wanted| {
                    [too_few, too_many].into_iter().flatten().map(move |contains| {
                        let mut wanted = wanted.clone();
                        wanted.contains.push(contains);
                        wanted
                    })
                })
                .collect();
        } else {
            alternatives.iter_mut().for_each(|wanted| wanted.add(atom, *holds));
        }
    }
    alternatives
}

impl Wanted {
    fn add(&mut self, atom: &Atom, holds: bool) {
        match (atom, holds) {
            (Atom::ItemAt(index, id), true) => self.at.entry(*index).or_default().push((*id, true)),
            (Atom::ItemAt(index, id), false) => {
                self.at.entry(*index).or_default().push((*id, false));
                self.at_least = self.at_least.max(index + 1);
            }
            (Atom::ItemsFrom(start, id), true) => self.from.push((*start, *id)),
            (Atom::ItemsFrom(start, id), false) => self.breaches.push((*start, *id)),
            (Atom::Contains(item, least, most), _) => {
                self.contains.push(Contains { item: *item, at_least: *least, at_most: *most });
            }
            (Atom::Distinct, true) => self.distinct = true,
            (Atom::Distinct, false) => self.repeated = true,
            (Atom::ItemsAtLeast(least), true) => self.at_least = self.at_least.max(*least),
            (Atom::ItemsAtMost(most), false) => {
                self.at_least = self.at_least.max(most.saturating_add(1));
            }
            (Atom::ItemsAtMost(most), true) => self.limit(*most),
            (Atom::ItemsAtLeast(0), false) => self.never = true,
            (Atom::ItemsAtLeast(least), false) => self.limit(least - 1),
            _ => {}
        }
    }

    fn limit(&mut self, most: u64) {
        self.at_most = Some(self.at_most.map_or(most, |known| known.min(most)));
    }
}
