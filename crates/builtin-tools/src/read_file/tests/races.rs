//! A process that changes the file system all the time gets nothing from outside read.

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use assent_runtime::Executor;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;

use super::{Disk, ReadFile, input, read};

const SWAPS: usize = 100_000;
const LIMIT: Duration = Duration::from_secs(20);

/// What stands beside the file `note` and takes its name for a moment.
const OTHERS: [&str; 3] = ["other", "link", "second_name"];

/// Exchanges what is called `note` or `folder` with something else, and exchanges it back. A second name of a
/// file outside goes away in between.
fn swap(root: &Path, outside: &Path, round: usize) {
    let exchange = |one: &str, other: &str| {
        renameat_with(CWD, root.join(one), CWD, root.join(other), RenameFlags::EXCHANGE).unwrap();
    };
    match OTHERS.get(round % 4) {
        None => (0..2).for_each(|_| exchange("folder", "folder_link")),
        Some(&other) => {
            exchange("note", other);
            exchange("note", other);
            if other == "second_name" {
                fs::remove_file(root.join(other)).unwrap();
                fs::hard_link(outside.join("note"), root.join(other)).unwrap();
            }
        }
    }
}

#[test]
fn one_hundred_thousand_swaps_of_links_and_files_give_no_wrong_byte() {
    let disk = Disk::new();
    let (root, outside) = (disk.path("root"), disk.path("root_evil"));
    fs::write(outside.join("note"), "SECRET").unwrap();
    fs::create_dir(root.join("folder")).unwrap();
    fs::write(root.join("folder/note"), "inside, in a folder").unwrap();
    fs::write(root.join("note"), "inside").unwrap();
    fs::write(root.join("other"), "another one inside").unwrap();
    fs::hard_link(outside.join("note"), root.join("second_name")).unwrap();
    symlink("../root_evil/file", root.join("link")).unwrap();
    fs::create_dir(outside.join("folder")).unwrap();
    fs::write(outside.join("folder/note"), "SECRET").unwrap();
    symlink("../root_evil/folder", root.join("folder_link")).unwrap();
    let roots = disk.roots(&["root"]);
    let tool = ReadFile::new(roots.clone());
    let (is_over, started) = (AtomicBool::new(false), Instant::now());
    let (mut reads, mut refusals, mut same) = (0, 0, 0);
    thread::scope(|scope| {
        let swaps = scope.spawn(|| {
            let rounds = (0..SWAPS).take_while(|_| started.elapsed() < LIMIT);
            let count = rounds.map(|round| swap(&root, &outside, round)).count();
            is_over.store(true, Ordering::SeqCst);
            count
        });
        let mut results = (0_usize..).map(|round| {
            let path = if round % 3 == 0 { "folder/note" } else { "note" };
            let input = input(&json!({"path": path}));
            let approved = tool.environment(&input);
            [None, approved.as_ref(), approved.as_ref()]
                .map(|approved| read(&roots, &input, approved))
        });
        while !is_over.load(Ordering::SeqCst) {
            let results = results.next().unwrap();
            for result in &results {
                match result {
                    Ok(result) => assert!(result.text().contains("inside"), "{}", result.text()),
                    Err(_) => refusals += 1,
                }
                reads += 1;
            }
            // The same approval never stands for two files.
            if let [_, Ok(first), Ok(second)] = &results {
                assert_eq!(first.to_value(), second.to_value());
                same += 1;
            }
        }
        assert_eq!(swaps.join().unwrap(), SWAPS, "the swaps took longer than {LIMIT:?}");
    });
    assert!(refusals > 100 && same > 100, "{reads} reads, {refusals} refusals, {same} pairs");
    println!("{reads} reads, {refusals} refusals, {same} pairs in {:?}", started.elapsed());
}
