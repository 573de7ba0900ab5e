//! What holds for every path.

use std::fs;

use proptest::{prelude::*, test_runner::TestRunner};

use super::{Disk, read_path};

/// Paths of parts that matter: names that exist, links, steps up and down.
fn paths() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => prop::sample::select(vec!["..", ".", "", "a", "b.txt", "notes.md"]),
        2 => prop::sample::select(vec!["root", "root_evil", "file", "secret", "data", "device.db"]),
        1 => prop::sample::select(vec!["up", "down", "loop", "missing", "\u{ff0e}\u{ff0e}", "..\\"]),
    ];
    let start = prop::sample::select(vec!["", "", "/", "ROOT/", "ROOT", "ROOT/../", "BESIDE/"]);
    let parts = prop::collection::vec(part, 0..7);
    (start, parts).prop_map(|(start, parts)| start.to_owned() + &parts.join("/"))
}

/// Reads a path with the tool, and compares with what the system finds there.
fn check(disk: &Disk, path: &str) -> Result<bool, TestCaseError> {
    let root = disk.path("root");
    let found = fs::canonicalize(root.join(path)).ok();
    match read_path(&disk.roots(&["root"]), path) {
        Ok(result) => {
            let text = result["content"].as_str().unwrap();
            prop_assert!(text == "inside" || text == "inside too", "{path} gave {text}");
            if let Some(found) = found {
                prop_assert_eq!(fs::read_to_string(found).unwrap(), text);
            }
            Ok(true)
        }
        Err(reason) => {
            let known = ["sandbox_violation", "not_found", "invalid_arguments"];
            prop_assert!(known.contains(&reason.as_str()), "{reason}");
            // What the system finds without a link is refused for a reason.
            let has_links = ["up", "down", "loop"].iter().any(|link| path.contains(link));
            if let Some(found) = found.filter(|found| found.is_file() && !has_links) {
                let is_data = found.starts_with(root.join("data"));
                // A relative path must not leave the root, even if it comes back.
                let leaves = !path.starts_with('/') && path.contains("..");
                prop_assert!(is_data || leaves || !found.starts_with(&root), "{path}");
            }
            Ok(false)
        }
    }
}

#[test]
fn exactly_the_regular_files_beneath_the_root_are_read() {
    let disk = Disk::new();
    disk.link("..".as_ref(), "root/up");
    disk.link("a".as_ref(), "root/down");
    disk.link("loop".as_ref(), "root/loop");
    let beside = disk.text("");
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) };
    let read = std::cell::Cell::new(0);
    let outcome = TestRunner::new(config).run(&paths(), |path| {
        let path = path.replace("ROOT", &disk.text("root"));
        let path = path.replace("BESIDE", beside.trim_end_matches('/'));
        read.set(read.get() + usize::from(check(&disk, &path)?));
        Ok(())
    });
    outcome.unwrap();
    assert!(read.get() > 100, "only {} paths led to a file", read.get());
}
