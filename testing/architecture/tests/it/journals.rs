//! No journal that a test makes escapes the audit of `testing/journal`.

use std::path::Path;

use crate::{root, tidy::rust_files};

/// Crates whose tests call tools, or run scenarios that do.
const CRATES: [&str; 4] = ["crates/assent", "crates/hooks", "crates/rehearsal", "crates/runtime"];

/// What creates a runtime or a journal that is not audited.
const MAKERS: [&str; 6] = [
    "Runtime::builder(",
    "RuntimeBuilder::default(",
    "MemoryJournal::",
    "SqliteJournal::",
    "assent_rehearsal::run",
    ".journal(",
];

/// Who may nevertheless, and why.
const MAY: [(&str, &str, &str); 7] = [
    (
        "crates/runtime/tests/it/desk.rs",
        "Runtime::builder(",
        "the desk: its journal is an audited one",
    ),
    ("crates/runtime/tests/it/desk.rs", ".journal(", "the same"),
    (
        "crates/hooks/tests/it/desk.rs",
        "Runtime::builder(",
        "the desk: its journal is an audited one",
    ),
    ("crates/hooks/tests/it/desk.rs", ".journal(", "the same"),
    ("crates/rehearsal/tests/it/harness.rs", "assent_rehearsal::run", "it audits what comes out"),
    (
        "crates/assent/tests/it/audit.rs",
        "SqliteJournal::",
        "written by hand, also wrongly, for `assent audit` to judge",
    ),
    (
        "crates/assent/tests/it/audit.rs",
        "assent_rehearsal::run",
        "two calls, for a file that `assent audit` reads and judges",
    ),
];

fn is_test(path: &Path) -> bool {
    let text = path.to_str().unwrap();
    text.contains("/tests/") || text.ends_with("/tests.rs")
}

/// Each use of a maker: its file and the maker.
fn uses() -> Vec<(String, &'static str)> {
    let mut files = Vec::new();
    for folder in CRATES {
        rust_files(&root().join(folder), &mut files);
    }
    files.retain(|path| is_test(path));
    assert!(files.len() > 60, "{} files are not all", files.len());
    let mut found = Vec::new();
    for path in files {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        // However it is imported.
        let imports_run = text.split("use assent_rehearsal::").skip(1).any(|import| {
            let list = import.split(';').next().unwrap();
            list.split(|character: char| !character.is_alphanumeric() && character != '_')
                .any(|word| word == "run")
        });
        for maker in MAKERS {
            let is_imported = imports_run && maker == "assent_rehearsal::run";
            if is_imported || text.contains(maker) {
                found.push((name.clone(), maker));
            }
        }
    }
    found
}

#[test]
fn every_journal_of_every_test_is_audited() {
    let uses = uses();
    for (file, maker) in &uses {
        let may = MAY.iter().any(|(allowed, what, _)| allowed == file && what == maker);
        assert!(may, "{file} uses `{maker}`: get a journal from `assent_test_journal::Audited`");
    }
}

#[test]
fn every_crate_that_may_make_journals_does() {
    let uses = uses();
    for (file, maker, why) in MAY {
        assert!(uses.contains(&(file.to_owned(), maker)), "{file} does not use `{maker}` ({why})");
    }
}
