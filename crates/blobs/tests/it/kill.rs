//! A process that stores is killed at any moment, and nothing that it promised is lost.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use assent_blobs::{BlobStore, BlobUri, DiskBlobs, Retention};
use assent_ids::UnixMillis;

use crate::support::{Folder, meta, run};

const FOLDER: &str = "ASSENT_BLOBS_KILL_FOLDER";
const ROUND: &str = "ASSENT_BLOBS_KILL_ROUND";
const PROMISE: &str = "promised ";

/// Different in every round, and of sizes around those at which something changes.
fn bytes(round: u64, number: u64) -> Vec<u8> {
    let size = [0, 1, 4095, 4096, 70_000, 300_000][usize::try_from(number % 6).unwrap()];
    let seed = [round.to_le_bytes(), number.to_le_bytes()].concat();
    seed.iter().copied().cycle().take(16 + size).collect()
}

/// Not a test: the process that is killed.
#[test]
#[ignore = "started by the test below"]
fn stores_until_it_is_killed() {
    let store = DiskBlobs::open(std::env::var(FOLDER).unwrap()).unwrap();
    let round: u64 = std::env::var(ROUND).unwrap().parse().unwrap();
    run(async {
        for number in 0.. {
            let put = store.put(bytes(round, number), meta("a", Retention::Session));
            put.await.unwrap();
            writeln!(std::io::stdout(), "{PROMISE}{number}").unwrap();
        }
    });
}

/// Runs the process above, kills it after it has promised `promises` blobs and then some, and
/// returns how many it has promised in the end.
fn kill_after(folder: &Path, round: u64, promises: u64, pause: Duration) -> u64 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["kill::stores_until_it_is_killed", "--exact", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Option<u64> {
        let line = lines.by_ref().map_while(Result::ok).find(|line| line.starts_with(PROMISE));
        line.map(|line| line[PROMISE.len()..].parse().unwrap())
    };
    while next().expect("it stores until it is killed") < promises {}
    thread::sleep(pause);
    child.kill().unwrap();
    child.wait().unwrap();
    let last = std::iter::from_fn(next).last();
    last.unwrap_or(promises)
}

#[test]
fn nothing_that_was_promised_is_lost_when_the_process_is_killed() {
    let folder = Folder::new();
    for round in 0..12 {
        let pause = Duration::from_micros(round * 397);
        let last = kill_after(folder.path(), round, round % 7, pause);
        let store = DiskBlobs::open(folder.path()).unwrap();
        let left = fs::read_dir(folder.path().join("temporary")).unwrap().count();
        assert_eq!(left, 0, "unfinished files are swept");
        for number in 0..=last {
            let bytes = bytes(round, number);
            let found = run(store.get(BlobUri::of(&bytes), None)).unwrap();
            assert!(found == Some(bytes), "round {round}, blob {number} of {last}");
        }
        everything_is_whole(&folder, &store);
    }
    // Whatever was cut off does not stand in the way of a collection.
    let store = DiskBlobs::open(folder.path()).unwrap();
    let kept = run(store.collect(UnixMillis::MAX)).unwrap();
    assert!(kept.removed <= 12, "at most one blob per death has no label: {kept:?}");
    assert_eq!(run(store.collect(UnixMillis::MAX)).unwrap().removed, 0);
}

fn everything_is_whole(folder: &Folder, store: &DiskBlobs) {
    for file in folder.files() {
        let name = Path::new(&file).file_name().unwrap().to_str().unwrap();
        if let Ok(digest) = name.parse() {
            assert!(run(store.get(BlobUri::new(digest), None)).unwrap().is_some(), "{file}");
        }
    }
}
