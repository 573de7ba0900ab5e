//! Files keep a shape in which a reader finds his way.

use std::path::{Path, PathBuf};

use crate::root;

/// Longer files hold more than one concept.
const MAX_LINES: usize = 500;

pub(crate) fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["crates", "testing", "fuzz/src"] {
        rust_files(&root().join(folder), &mut found);
    }
    assert!(found.len() > 50);
    found
}

#[test]
fn every_file_begins_by_saying_what_it_is() {
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//! "), "{} does not begin with `//! `", path.display());
    }
}

#[test]
fn no_file_is_too_long_to_be_about_one_thing() {
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let lines = code.lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", path.display());
    }
}

#[test]
fn modules_are_named_after_their_files() {
    for path in files() {
        assert_ne!(path.file_name().unwrap(), "mod.rs", "{}", path.display());
    }
}

#[test]
fn no_two_decisions_have_the_same_number() {
    let mut numbers: Vec<usize> = std::fs::read_dir(root().join("docs/decisions"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| {
            let number = name.get(..4).and_then(|number| number.parse().ok());
            number.unwrap_or_else(|| panic!("{name} has no number"))
        })
        .collect();
    let count = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), count);
}
