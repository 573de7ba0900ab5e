//! The manual of the relay names a test for every limit, and the test is there.

use std::{collections::BTreeSet, fs};

use crate::{root, tidy::rust_files};

/// Every function with a test's attribute right above it.
fn tests() -> BTreeSet<String> {
    let (mut files, mut found) = (Vec::new(), BTreeSet::new());
    rust_files(&root().join("crates"), &mut files);
    for file in files {
        let source = fs::read_to_string(file).unwrap();
        let lines: Vec<&str> = source.lines().map(str::trim).collect();
        for pair in lines.windows(2) {
            let is_test = pair[0].starts_with("#[test]") || pair[0].starts_with("#[tokio::test");
            let named = pair[1].trim_start_matches("async ").strip_prefix("fn ");
            if let (true, Some((name, _))) = (is_test, named.and_then(|rest| rest.split_once('(')))
            {
                found.insert(name.to_owned());
            }
        }
    }
    found
}

#[test]
fn every_limit_in_the_manual_names_a_test_that_shows_it() {
    let manual = fs::read_to_string(root().join("docs/operations.md")).unwrap();
    let rows = manual.lines().skip_while(|line| !line.starts_with("| what | how much |")).skip(2);
    let rows: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 30, "{} limits are not all", rows.len());
    let tests = tests();
    for row in rows {
        let shown_by = row.split('|').nth(5).unwrap_or_else(|| panic!("{row} has too few cells"));
        let named: Vec<&str> = shown_by.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "{row} names no test");
        for name in named {
            assert!(tests.contains(name), "there is no test `{name}`");
        }
    }
}
