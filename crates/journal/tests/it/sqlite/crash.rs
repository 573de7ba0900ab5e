//! A process that is killed at any moment, or whose disk is full, has lost nothing of what was acknowledged
//! as durable.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead, BufReader},
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use assent_ids::InvocationId;
use assent_journal::{
    Batch, Claim, Journal, SavedState, Seq, SqliteJournal, check,
    conformance::{
        block_on,
        sample::{allowed_call, call},
    },
};

use super::Directory;

const PATH: &str = "ASSENT_TEST_JOURNAL";
const FIRST: &str = "ASSENT_TEST_FIRST";
const WRITERS: u64 = 8;

fn key(number: u64) -> String {
    format!("start:{number}")
}

/// The process that is killed: writes calls with eight threads and prints what became of each.
#[test]
#[ignore = "the other tests of this file start it"]
fn child() {
    let Ok(path) = std::env::var(PATH) else { return };
    let first: u64 = std::env::var(FIRST).unwrap().parse().unwrap();
    let journal = SqliteJournal::open(path.as_ref()).unwrap();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let journal = &journal;
            scope.spawn(move || {
                for number in (0..).map(|n| first + n * WRITERS + writer) {
                    let written = block_on(journal.append(Batch {
                        drafts: allowed_call(number),
                        claims: vec![Claim { key: key(number).into(), limit: 1 }],
                        save: Some(SavedState {
                            invocation: call(number),
                            bytes: b"held".to_vec().into(),
                        }),
                        release: None,
                    }));
                    match written {
                        Ok(_) => println!("\nok {number}"),
                        Err(_) => {
                            println!("\nno {number}");
                            std::thread::sleep(Duration::from_millis(20));
                        }
                    }
                }
            });
        }
    });
}

/// Starts the process. `wrapper` is a shell command that ends by running its arguments.
fn start(directory: &Directory, first: u64, wrapper: &str) -> (Child, BufReader<ChildStdout>) {
    let mut child = Command::new("sh")
        .args(["-c", wrapper, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "sqlite::crash::child", "--ignored", "--nocapture"])
        .env(PATH, directory.path())
        .env(FIRST, first.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap());
    (child, lines)
}

/// The number of a line that says `word`.
fn said(line: &str, word: &str) -> Option<u64> {
    line.strip_prefix(word)?.strip_prefix(' ')?.parse().ok()
}

/// Opens the journal as after a crash and checks that it holds all of `acknowledged`, none of
/// `refused`, and nothing in part.
fn assert_whole(directory: &Directory, acknowledged: &BTreeSet<u64>, refused: &BTreeSet<u64>) {
    let journal = directory.open();
    assert_eq!(block_on(journal.integrity()), Ok(Vec::new()));
    let entries = block_on(journal.read(Seq(1), usize::MAX)).unwrap();
    assert_eq!(check(entries.iter().map(|entry| &**entry)), Ok(()));
    let mut calls = BTreeMap::<InvocationId, usize>::new();
    for entry in &entries {
        *calls.entry(entry.draft.invocation.unwrap()).or_default() += 1;
    }
    assert!(calls.values().all(|facts| *facts == 12), "a batch is there in part");
    let held: BTreeSet<InvocationId> =
        block_on(journal.saved_states()).unwrap().iter().map(|held| held.invocation).collect();
    assert!(held.iter().eq(calls.keys()), "what is held belongs to the same batches");
    for number in acknowledged {
        assert!(calls.contains_key(&call(*number)), "call {number} was acknowledged and is lost");
        assert_eq!(block_on(journal.claimed(&key(*number))), Ok(1));
    }
    for number in refused {
        assert!(!calls.contains_key(&call(*number)), "call {number} was refused and is there");
        assert_eq!(block_on(journal.claimed(&key(*number))), Ok(0));
    }
}

#[test]
fn a_process_that_is_killed_loses_nothing_that_was_acknowledged() {
    let directory = Directory::new();
    let mut acknowledged = BTreeSet::new();
    for round in 0..24_u64 {
        let (mut child, mut lines) = start(&directory, round * 1_000_000, r#"exec "$@""#);
        let mut line = String::new();
        while said(line.trim_end(), "ok").is_none() {
            line.clear();
            assert!(lines.read_line(&mut line).unwrap() > 0, "the process ended by itself");
        }
        acknowledged.extend(said(line.trim_end(), "ok"));
        // Moments that repeat and are spread over several groups and checkpoints.
        std::thread::sleep(Duration::from_micros(round * 7_919 % 120_000));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(lines.lines().filter_map(|line| said(&line.unwrap(), "ok")));
        assert_whole(&directory, &acknowledged, &BTreeSet::new());
    }
    assert!(acknowledged.len() > 24);
}

/// Files may grow to one megabyte, which stands for a disk that is full, until that is lifted.
#[test]
fn a_full_disk_is_reported_and_the_journal_continues_when_there_is_room_again() {
    let prlimit = || Command::new("prlimit");
    if prlimit().arg("--version").output().is_err() {
        return;
    }
    let directory = Directory::new();
    drop(directory.open());
    let limited = r#"trap "" XFSZ; exec prlimit --fsize=1000000:unlimited "$@""#;
    let (mut child, mut lines) = start(&directory, 0, limited);
    let (mut acknowledged, mut refused) = (BTreeSet::new(), BTreeSet::new());
    let mut read = |until: &mut dyn FnMut(&BTreeSet<u64>, &BTreeSet<u64>) -> bool| {
        while !until(&acknowledged, &refused) {
            let mut line = String::new();
            assert!(lines.read_line(&mut line).unwrap() > 0, "the process ended by itself");
            acknowledged.extend(said(line.trim_end(), "ok"));
            refused.extend(said(line.trim_end(), "no"));
        }
        acknowledged.len()
    };
    let before = read(&mut |_, refused| refused.len() >= 10);
    let pid = child.id().to_string();
    let lifted = prlimit().args(["--fsize=unlimited:unlimited", "--pid", &pid]).status().unwrap();
    assert!(lifted.success());
    read(&mut |acknowledged, _| acknowledged.len() >= before + 100);
    child.kill().unwrap();
    child.wait().unwrap();
    acknowledged.extend(lines.lines().filter_map(|line| said(&line.unwrap(), "ok")));
    assert_whole(&directory, &acknowledged, &refused);
}
