//! Numbers: an interval, common multiples, and exclusions.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};
use serde_json::Value;

use super::Outcome;
use crate::compare::{
    budget::Budget,
    formula::{Atom, ValueKind},
    rational,
};

/// After this many candidates without success the search gives up. Where the candidates repeat after
/// fewer, it is a proof.
const MAX_CANDIDATES: u32 = 4_000;

/// Common multiples with more bits than this are not computed.
const MAX_BITS: u64 = 8_192;

/// A bound, and whether the bound itself is allowed.
type Bound = (BigRational, bool);

pub(super) fn solve(kind: ValueKind, atoms: &[(&Atom, bool)], budget: &mut Budget) -> Outcome {
    let excluded: BTreeSet<&BigRational> = atoms
        .iter()
        .filter_map(|(atom, holds)| match atom {
            Atom::NumberIs(number) if !holds => Some(number),
            _ => None,
        })
        .collect();
    let rules: Vec<(&Atom, bool)> = atoms
        .iter()
        .filter(|(atom, holds)| *holds || !matches!(atom, Atom::NumberIs(_)))
        .copied()
        .collect();
    let fits = |number: &BigRational| {
        number.is_integer() == (kind == ValueKind::Integer)
            && !excluded.contains(number)
            && rules.iter().all(|(atom, holds)| is_true(atom, number) == *holds)
    };
    // A constant leaves nothing to search for.
    let constants = atoms.iter().filter_map(|(atom, holds)| match atom {
        Atom::NumberIs(number) if *holds => Some(number),
        _ => None,
    });
    if let Some(constant) = constants.into_iter().next() {
        return if fits(constant) { found(constant) } else { Outcome::Impossible };
    }
    let (lower, upper) = bounds(atoms);
    if is_empty(&lower, &upper) {
        return Outcome::Impossible;
    }
    let Some(step) = step(kind, &rules, budget) else { return Outcome::Unknown };
    let per_candidate = candidate_units(step.as_ref(), &rules);
    match step {
        Some(step) => {
            let Some(complete) = complete_after(kind, &step, atoms, budget) else {
                return Outcome::Unknown;
            };
            let candidates = Candidates { step, complete, per_candidate };
            among_multiples(&candidates, &lower, &upper, budget, fits)
        }
        None => among_fractions(&lower, &upper, budget, per_candidate, fits),
    }
}

/// What trying one candidate costs. Division takes time quadratic in the length of the numbers.
fn candidate_units(step: Option<&BigRational>, rules: &[(&Atom, bool)]) -> usize {
    let of_step = step.map_or(1, words);
    let of_rules = rules.iter().map(|(atom, _)| match atom {
        Atom::MultipleOf(divisor) => (of_step + words(divisor)).pow(2),
        _ => of_step,
    });
    4 + of_rules.sum::<usize>()
}

/// The length of a number in machine words.
fn words(number: &BigRational) -> usize {
    usize::try_from(bits(number) / 64 + 1).unwrap_or(usize::MAX)
}

fn bits(number: &BigRational) -> u64 {
    number.numer().bits().max(number.denom().bits())
}

fn is_true(atom: &Atom, number: &BigRational) -> bool {
    match atom {
        Atom::NumberIs(constant) => number == constant,
        Atom::AtLeast(bound) => number >= bound,
        Atom::AtMost(bound) => number <= bound,
        Atom::Above(bound) => number > bound,
        Atom::Below(bound) => number < bound,
        Atom::MultipleOf(divisor) => !divisor.is_zero() && (number / divisor).is_integer(),
        _ => true,
    }
}

fn found(number: &BigRational) -> Outcome {
    match rational::to_json(number) {
        Some(json) if rational::exactly(&json).as_ref() == Some(number) => {
            Outcome::Found(Value::Number(json))
        }
        // The number exists, but no double is exactly it.
        _ => Outcome::Unknown,
    }
}

fn bounds(atoms: &[(&Atom, bool)]) -> (Option<Bound>, Option<Bound>) {
    let (mut lower, mut upper): (Option<Bound>, Option<Bound>) = (None, None);
    for (atom, holds) in atoms {
        let (bound, allowed, is_lower) = match (atom, holds) {
            (Atom::AtLeast(bound), true) | (Atom::Below(bound), false) => (bound, true, true),
            (Atom::Above(bound), true) | (Atom::AtMost(bound), false) => (bound, false, true),
            (Atom::AtMost(bound), true) | (Atom::Above(bound), false) => (bound, true, false),
            (Atom::Below(bound), true) | (Atom::AtLeast(bound), false) => (bound, false, false),
            _ => continue,
        };
        let side = if is_lower { &mut lower } else { &mut upper };
        let tighter = side.as_ref().is_none_or(|(known, known_allowed)| {
            let beyond = if is_lower { bound > known } else { bound < known };
            beyond || (bound == known && *known_allowed && !allowed)
        });
        if tighter {
            *side = Some((bound.clone(), allowed));
        }
    }
    (lower, upper)
}

fn is_empty(lower: &Option<Bound>, upper: &Option<Bound>) -> bool {
    let (Some((lower, from)), Some((upper, to))) = (lower, upper) else { return false };
    lower > upper || (lower == upper && !(*from && *to))
}

/// What every solution must be a multiple of. The outer `None` if that is not worth the cost.
#[expect(clippy::option_option, reason = "the outer one gives up, the inner one allows all")]
fn step(
    kind: ValueKind,
    rules: &[(&Atom, bool)],
    budget: &mut Budget,
) -> Option<Option<BigRational>> {
    let mut step = (kind == ValueKind::Integer).then(|| BigRational::from_integer(BigInt::from(1)));
    for (atom, holds) in rules {
        if let (Atom::MultipleOf(divisor), true) = (atom, holds) {
            step = Some(match step {
                Some(step) => common_multiple(&step, divisor, budget)?,
                None => divisor.clone(),
            });
        }
    }
    Some(step)
}

/// The smallest number that is a multiple of both. Nothing if it is too long or costs too much.
fn common_multiple(a: &BigRational, b: &BigRational, budget: &mut Budget) -> Option<BigRational> {
    if bits(a).max(bits(b)) > MAX_BITS || !budget.spend((words(a) + words(b)).pow(2)) {
        return None;
    }
    let numerator = (a.numer() * b.denom()).lcm(&(b.numer() * a.denom()));
    Some(BigRational::new(numerator, a.denom() * b.denom()))
}

/// The multiples to try.
struct Candidates {
    step: BigRational,
    /// After this many candidates inside the interval nothing new can come, if that is known.
    complete: Option<BigInt>,
    per_candidate: usize,
}

/// Tries the multiples of `step` one after another, from a bound on.
///
/// Which multiples are also multiples of a forbidden divisor repeats with a period. So trying one
/// period, and one more for each single number that is excluded, is trying everything.
fn among_multiples(
    candidates: &Candidates,
    lower: &Option<Bound>,
    upper: &Option<Bound>,
    budget: &mut Budget,
    fits: impl Fn(&BigRational) -> bool,
) -> Outcome {
    // Zero is a multiple of everything, and the number that a person expects to see first.
    let zero = BigRational::zero();
    let Candidates { step, complete, per_candidate } = candidates;
    if fits(&zero) {
        return found(&zero);
    }
    let (first, direction) = match (lower, upper) {
        (Some((lower, _)), _) => ((lower / step).ceil(), 1),
        (None, Some((upper, _))) => ((upper / step).floor(), -1),
        (None, None) => (zero, 1),
    };
    for tried in 0..MAX_CANDIDATES {
        if complete.as_ref().is_some_and(|complete| BigInt::from(tried) > *complete) {
            return Outcome::Impossible;
        }
        if !budget.spend(*per_candidate) {
            return Outcome::Unknown;
        }
        let index = first.to_integer() + BigInt::from(tried) * direction;
        let candidate = step * BigRational::from_integer(index);
        if outside(&candidate, lower, upper, direction) {
            return Outcome::Impossible;
        }
        if fits(&candidate) {
            return found(&candidate);
        }
    }
    Outcome::Unknown
}

/// True once the candidates have left the interval for good.
fn outside(
    candidate: &BigRational,
    lower: &Option<Bound>,
    upper: &Option<Bound>,
    direction: i32,
) -> bool {
    match (direction, lower, upper) {
        (1, _, Some((upper, _))) => candidate > upper,
        (-1, Some((lower, _)), _) => candidate < lower,
        _ => false,
    }
}

/// The number of candidates inside the interval after which nothing new can come, if that is known.
/// The outer `None` if it is not worth the cost.
#[expect(clippy::option_option, reason = "the outer one gives up, the inner one does not know")]
fn complete_after(
    kind: ValueKind,
    step: &BigRational,
    atoms: &[(&Atom, bool)],
    budget: &mut Budget,
) -> Option<Option<BigInt>> {
    let mut period = step.clone();
    if kind == ValueKind::Fraction {
        period = common_multiple(&period, &BigRational::from_integer(1.into()), budget)?;
    }
    // The bounds themselves may be excluded.
    let mut single = BigInt::from(2);
    for (atom, holds) in atoms {
        match atom {
            Atom::MultipleOf(divisor) if !holds && divisor.is_positive() => {
                period = common_multiple(&period, divisor, budget)?;
            }
            Atom::NumberIs(_) if !holds => single += 1,
            _ => {}
        }
    }
    let period = (period / step).to_integer();
    let short = period.to_u32().is_some_and(|period| period < MAX_CANDIDATES);
    Some(short.then(|| period * (single + BigInt::from(1))))
}

/// Tries numbers with a fraction, simple ones first.
fn among_fractions(
    lower: &Option<Bound>,
    upper: &Option<Bound>,
    budget: &mut Budget,
    per_candidate: usize,
    fits: impl Fn(&BigRational) -> bool,
) -> Outcome {
    if let (Some((lower, _)), Some((upper, _))) = (lower, upper)
        && lower == upper
    {
        return if fits(lower) { found(lower) } else { Outcome::Impossible };
    }
    let ratio =
        |numerator: i64, denominator: i64| BigRational::new(numerator.into(), denominator.into());
    let (from, width) = match (lower, upper) {
        (Some((lower, _)), Some((upper, _))) => (lower.clone(), upper - lower),
        (Some((lower, _)), None) => (lower.clone(), ratio(1, 1)),
        (None, Some((upper, _))) => (upper - ratio(1, 1), ratio(1, 1)),
        (None, None) => (ratio(0, 1), ratio(1, 1)),
    };
    // The interval's ends, then ever finer parts of it, shifted by whole numbers where it is open.
    let parts = [(0, 1), (1, 1), (1, 2), (1, 10), (3, 10), (1, 3), (2, 7), (1, 1000), (1, 997)];
    for shift in 0..40_i64 {
        let shift = match (lower, upper) {
            (_, None) => ratio(shift, 1),
            (None, _) => ratio(-shift, 1),
            _ => &width * ratio(shift, 64),
        };
        for (numerator, denominator) in parts {
            if !budget.spend(per_candidate) {
                return Outcome::Unknown;
            }
            let candidate = &from + &shift + &width * ratio(numerator, denominator);
            // Only what a JSON number can say is a candidate.
            let Some(candidate) =
                rational::to_json(&candidate).as_ref().and_then(rational::exactly)
            else {
                continue;
            };
            if fits(&candidate) {
                return found(&candidate);
            }
        }
    }
    Outcome::Unknown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn atoms() -> impl Strategy<Value = Vec<(Atom, bool)>> {
        let number =
            (-40_i64..40, 1_i64..4).prop_map(|(n, d)| BigRational::new(n.into(), d.into()));
        let divisor = (1_i64..12, 1_i64..4).prop_map(|(n, d)| BigRational::new(n.into(), d.into()));
        let atom = prop_oneof![
            number.clone().prop_map(Atom::AtLeast),
            number.clone().prop_map(Atom::AtMost),
            number.clone().prop_map(Atom::Above),
            number.clone().prop_map(Atom::Below),
            number.prop_map(Atom::NumberIs),
            divisor.prop_map(Atom::MultipleOf),
        ];
        proptest::collection::vec((atom, proptest::bool::weighted(0.7)), 0..6)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn what_is_found_fits_and_what_is_impossible_has_no_counterexample(
            atoms in atoms(), whole: bool
        ) {
            let kind = if whole { ValueKind::Integer } else { ValueKind::Fraction };
            let fits = |number: &BigRational| {
                number.is_integer() == whole
                    && atoms.iter().all(|(atom, holds)| is_true(atom, number) == *holds)
            };
            let borrowed: Vec<(&Atom, bool)> =
                atoms.iter().map(|(atom, holds)| (atom, *holds)).collect();
            match solve(kind, &borrowed, &mut Budget::new(1_000_000)) {
                Outcome::Found(Value::Number(number)) => {
                    prop_assert!(fits(&rational::exactly(&number).unwrap()));
                }
                Outcome::Impossible => {
                    for numerator in -600_i64..600 {
                        let number = BigRational::new(numerator.into(), 12.into());
                        prop_assert!(!fits(&number), "{}", number);
                    }
                }
                _ => {}
            }
        }
    }
}
