//! Comparing two manifests takes a bounded amount of time and memory, whatever they contain.
//!
//! Every pair is compared in a process of its own, because the peak of the memory belongs to a
//! process. The time is that of the processor, so other processes do not count.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::print_stdout,
    reason = "a test that cannot go on should stop loudly"
)]

mod measurement;
mod pairs;
mod schemas;

use std::collections::BTreeSet;

use assent_manifest::{RuleSet, diff};

use self::{
    measurement::{Cost, MAX_BYTES, MAX_SECONDS, measured, report},
    pairs::{Outcome, Pair, large_pairs, property_pairs, reported_pairs},
};

/// Compares two files that the environment names, and prints what it cost.
#[test]
#[ignore = "the other tests run it in a process of its own"]
fn one_comparison() {
    let [old, new] = measurement::input();
    let (result, cost) = measured(|| diff(&old, &new, RuleSet::Canonical));
    let outcome = match &result {
        Err(_) => Outcome::Refused,
        Ok(diff) if diff.breaking => Outcome::Breaking,
        Ok(_) => Outcome::Compatible,
    };
    let rules: BTreeSet<_> =
        result.iter().flat_map(|diff| &diff.changes).map(|change| change.rule.as_str()).collect();
    let rules: Vec<_> = rules.into_iter().collect();
    report(cost, &format!("{outcome:?} {}", rules.join(" ")));
}

/// Compares each pair in a process of its own.
fn assert_bounded(pairs: &[Pair]) -> Vec<Cost> {
    let mut problems = Vec::new();
    let mut costs = Vec::new();
    for pair in pairs {
        let (cost, result) =
            measurement::in_a_process("one_comparison", pair.name, pair.manifests());
        let line = format!(
            "{:<32} {:.3} s {:>3} MiB  {result}",
            pair.name,
            cost.seconds,
            cost.bytes >> 20
        );
        println!("{line}");
        let mut words = result.split(' ');
        let is_expected = words.next() == Some(&format!("{:?}", pair.expected))
            && pair.rule.is_none_or(|rule| words.any(|word| word == rule.as_str()));
        if !is_expected || cost.seconds > MAX_SECONDS || cost.bytes > MAX_BYTES {
            problems.push(line);
        }
        costs.push(cost);
    }
    assert!(problems.is_empty(), "{problems:#?}");
    costs
}

#[test]
fn the_comparisons_that_exhausted_relays_are_cheap() {
    assert_bounded(&reported_pairs());
}

#[test]
fn the_largest_manifests_are_compared_within_a_second_and_64_mib() {
    assert_bounded(&large_pairs());
}

#[test]
fn the_place_of_additional_properties_does_not_change_the_cost() {
    let costs = assert_bounded(&property_pairs());
    let seconds: Vec<_> = costs.iter().map(|cost| cost.seconds).collect();
    let (least, most) = seconds
        .iter()
        .fold((f64::MAX, 0_f64), |(least, most), &seconds| (least.min(seconds), most.max(seconds)));
    // The machine may be busy, so the bound is loose. It used to be a factor of thirty.
    assert!(most < 4.0 * least + 0.05, "{seconds:?}");
}
