//! The examples that come with the project.

use std::{collections::BTreeSet, path::Path};

use assent_rehearsal::{Format, Scenario, read};

pub(crate) fn examples() -> Vec<(String, String, Scenario)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rehearsals");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let scenario = read(text.as_bytes(), Format::of(&name, text.as_bytes()));
            let scenario = scenario.unwrap_or_else(|problems| {
                let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
                panic!("{name}:\n{}", lines.join("\n"))
            });
            (name, text, scenario)
        })
        .collect();
    found.sort_by(|(left, ..), (right, ..)| left.cmp(right));
    found
}

#[test]
fn every_acceptance_scenario_has_an_example_and_all_examples_are_right() {
    let numbers: BTreeSet<usize> = examples()
        .iter()
        .map(|(name, ..)| name.split('-').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(numbers, (1..=21).collect());
}

#[test]
fn every_example_says_what_it_shows_and_can_fail() {
    for (name, text, scenario) in examples() {
        assert!(text.starts_with("# "), "{name} begins with a comment");
        assert!(!scenario.expectations.is_empty(), "{name} expects something");
    }
}
