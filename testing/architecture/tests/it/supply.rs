//! No library below the floors of `deny.toml`, where there is a published hole or a known corruption.
//! `cargo deny` checks more, but takes minutes to install; this is read in a moment on every run.

use semver::{Version, VersionReq};

use crate::root;

/// The name and the versions of every entry under `deny`.
fn banned() -> Vec<(String, VersionReq)> {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("{ crate = \"")?.split('"').next())
        .map(|entry| {
            let (name, versions) = entry.split_once(':').unwrap_or((entry, "*"));
            (name.to_owned(), VersionReq::parse(versions).unwrap())
        })
        .collect()
}

/// The name and the version of every library in the lock file.
fn locked() -> Vec<(String, Version)> {
    let text = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let value = |entry: &str, key: &str| {
        let line = entry.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")))?;
        line.strip_suffix('"').map(str::to_owned)
    };
    text.split("[[package]]")
        .filter_map(|entry| Some((value(entry, "name")?, value(entry, "version")?)))
        .map(|(name, version)| (name, Version::parse(&version).unwrap()))
        .collect()
}

#[test]
fn no_library_lies_below_its_floor() {
    let (banned, locked) = (banned(), locked());
    assert!(banned.len() > 8 && locked.len() > 50);
    for (name, versions) in &banned {
        for (_, version) in locked.iter().filter(|(locked, _)| locked == name) {
            assert!(!versions.matches(version), "{name} {version} is banned by deny.toml");
        }
    }
}
