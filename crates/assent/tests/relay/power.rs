//! The power fails. What the relay had written and not made durable is gone, in part or torn; what it had
//! acknowledged is there.
//!
//! A library writes down everything that the relay does to its database, in order. So one run can be cut off at
//! any place, as often as one likes: what a file was made durable with stays, and of the writes since then some
//! stay, some are lost and some are torn.

mod disk;
mod tape;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    time::Duration,
};

use assent_ids::{Entropy as _, SystemEntropy};
use assent_test_relay::Relay;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use self::{
    disk::Disk,
    tape::{RECORDER, Tape},
};
use crate::{ASSENT, load::Load, preload};

/// So many bytes are recorded: enough that the log is moved into the file, however slow the machine is.
const ENOUGH: u64 = 40 << 20;

/// How often the power fails; `ASSENT_TEST_POWER_CUTS` asks for more.
fn cuts() -> usize {
    env::var("ASSENT_TEST_POWER_CUTS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// Random numbers from a seed that is printed.
struct Dice(u64);

impl Dice {
    fn new() -> Self {
        let mut bytes = [0; 8];
        SystemEntropy::new().unwrap().fill(&mut bytes);
        let told = env::var("ASSENT_TEST_SEED").ok().and_then(|text| text.parse().ok());
        let seed = told.unwrap_or(u64::from_le_bytes(bytes) | 1);
        println!("ASSENT_TEST_SEED={seed}");
        Self(seed)
    }

    /// A number below `sides`.
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % sides
    }
}

/// Lets the relay work under load. Gives where the tape was when each message was acknowledged.
async fn record(data: &Path, tape: &Path, library: &Path) -> BTreeMap<String, u64> {
    let environment = [
        ("LD_PRELOAD", library.to_str().unwrap()),
        ("TAPE", tape.to_str().unwrap()),
        ("TAPED", data.to_str().unwrap()),
    ];
    let relay = Relay::start(ASSENT, data, &[], &environment).await;
    let load = Load::prepare(relay.address).await;
    let end = Instant::now() + Duration::from_secs(60);
    let mut senders = JoinSet::new();
    for sender in 0..8 {
        let (address, token) = (relay.address, load.person.token.clone());
        let (relation, tape) = (load.relation.clone(), tape.to_owned());
        senders.spawn(async move {
            let mut acknowledged = Vec::new();
            for number in 0.. {
                let recorded = fs::metadata(&tape).unwrap().len();
                if recorded > ENOUGH || Instant::now() > end {
                    break;
                }
                let id = format!("s{sender}-m{number}");
                let answer = relation.send(address, &token, &id, &"x".repeat(12_000)).await;
                assert_eq!(answer.unwrap().status, 201);
                acknowledged.push((id, fs::metadata(&tape).unwrap().len()));
            }
            acknowledged
        });
    }
    let acknowledged = senders.join_all().await.into_iter().flatten().collect();
    relay.kill().await;
    acknowledged
}

/// The messages that are in the database of a directory, which must be whole.
fn stored(directory: &Path) -> BTreeSet<String> {
    let file = rusqlite::Connection::open(directory.join("relay.db")).unwrap();
    let verdict: String = file.query_row("PRAGMA integrity_check", (), |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
    names(&file, "SELECT client_message_id FROM messages")
}

/// Messages that were accepted and are not in their table yet. None is in both places.
fn unfiled(directory: &Path) -> BTreeSet<String> {
    let file = rusqlite::Connection::open(directory.join("relay.db")).unwrap();
    let twice = "SELECT client_message_id FROM messages WHERE client_message_id IN (
        SELECT value ->> '$.message.client_message_id' FROM unfiled, json_each(accepted))";
    assert_eq!(names(&file, twice), BTreeSet::new());
    let accepted = "SELECT value ->> '$.message.client_message_id'
        FROM unfiled, json_each(accepted)";
    names(&file, accepted)
}

fn names(file: &rusqlite::Connection, sql: &str) -> BTreeSet<String> {
    let mut ask = file.prepare(sql).unwrap();
    ask.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Starts a relay on what is left, which files everything before it is ready.
async fn start_once(directory: &Path) {
    Relay::start(ASSENT, directory, &[], &[]).await.kill().await;
    assert_eq!(unfiled(directory), BTreeSet::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn whenever_the_power_fails_what_was_acknowledged_is_there() {
    let (tools, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let tape_file = tools.path().join("tape");
    let library = preload::build(tools.path(), RECORDER);
    let acknowledged = record(data.path(), &tape_file, &library).await;
    assert!(acknowledged.len() > 100, "{} messages are no load", acknowledged.len());
    sleep(Duration::from_millis(50)).await;

    let tape = Tape::read(&tape_file);
    assert!(tape.syncs() > 50, "{} syncs are no work", tape.syncs());
    // Before the first message there may be no tables at all.
    let first = *acknowledged.values().min().unwrap();
    let moved = tape.ops.iter().filter(|op| op.end > first && op.file == "relay.db").count();
    assert!(moved > 1000, "the log was not moved into the file");
    let mut dice = Dice::new();
    let mut places: Vec<u64> =
        (0..cuts()).map(|_| first + dice.roll(tape.length() - first + 1)).collect();
    places.sort_unstable();

    let mut seen_unfiled = false;
    let mut disk = Disk::default();
    let mut ops = tape.ops.iter().peekable();
    for place in places {
        while let Some(op) = ops.next_if(|op| op.end <= place) {
            disk.take(op);
        }
        let wreck = tempfile::tempdir().unwrap();
        disk.wreck(wreck.path(), &mut dice);
        let (filed, unfiled) = (stored(wreck.path()), unfiled(wreck.path()));
        seen_unfiled |= !unfiled.is_empty();
        start_once(wreck.path()).await;
        let found = stored(wreck.path());
        assert_eq!(found, filed.union(&unfiled).cloned().collect());
        for (id, at) in &acknowledged {
            assert!(*at > place || found.contains(id), "{id} was acknowledged at {at} of {place}");
        }
    }
    assert!(seen_unfiled, "no cut fell between accepting and filing");
}
