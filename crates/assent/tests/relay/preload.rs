//! Libraries that stand between the relay and the system.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Builds a library from C, to be named in `LD_PRELOAD`.
pub(crate) fn build(directory: &Path, source: &str) -> PathBuf {
    let (file, library) = (directory.join("between.c"), directory.join("between.so"));
    fs::write(&file, source).unwrap();
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
        .arg(&library)
        .arg(&file)
        .args(["-ldl", "-lpthread"])
        .status()
        .unwrap();
    assert!(built.success());
    library
}
