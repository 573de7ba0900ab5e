//! The reader and the canonical form, against published vectors and against other programs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::string_slice,
    clippy::too_many_lines,
    reason = "a test that cannot go on should stop loudly"
)]

mod adversarial;
mod errors;
mod json_test_suite;
mod navigation;
mod rfc8785;
mod round_trip;

use std::path::PathBuf;

fn data(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path)
}

/// The files of a folder of test data, in order. An empty folder would make a test that cannot fail.
fn files(path: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        std::fs::read_dir(data(path)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{path} is empty");
    files
}
