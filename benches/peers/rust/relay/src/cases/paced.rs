//! Messages at a fixed pace: how long from the sender to the recipient.

use std::{
    fs::File,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use assent_bench_harness::{Elapsed, Measured, Request, Timings, Trial};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{durable::calm_disk, group_commit::write_page};
use crate::{
    peers::{
        assent::{self, Ground, Letter, Way},
        raw_tcp,
    },
    pool::{Heard, Pool},
    server::Server,
    speech::{http, websocket},
};

/// Messages in a second.
const PACE: u32 = 200;

/// Time on the wall for each second of CPU time that the driver wants.
const WALL: u32 = 25;

/// Connections that send in turn, so that a slow answer does not hold up the next message.
const SENDERS: usize = 16;

/// What still comes when nothing is sent any more.
const LAST: Duration = Duration::from_secs(5);

/// A person who writes, and an agent whose socket hears of it.
pub(super) struct Paced {
    server: Server,
    letter: Letter,
    pool: Pool,
    sent: usize,
    _ground: Ground,
}

/// Where the socket of the agent is in the pool.
const RECIPIENT: usize = SENDERS;

impl Paced {
    pub(super) fn new(request: &Request) -> Self {
        let ground = Ground::new(request);
        let server = ground.start(request);
        let owner = ground.person(&server, "owner");
        let agents = ground.agents(&server, &owner, 1);
        let relation = ground.relate(&server, &owner, &agents[0]);
        let body = "x".repeat(super::BODY_BYTES);
        let letter = Letter::new(Way::Requests, &server, &owner, &relation, &body);
        let mut pool = Pool::new();
        pool.connect((0..SENDERS).map(|_| assent::requests(&server)), SENDERS);
        pool.connect([assent::socket(&server, &agents[0], Some(u64::from(u32::MAX)))], 1);
        Self { server, letter, pool, sent: 0, _ground: ground }
    }

    /// Sends so many at the pace, and gives how long each took to the recipient, in their order.
    fn run(&mut self, count: usize) -> Vec<Duration> {
        let first = self.sent;
        let begun = Instant::now();
        let mut times: Vec<Option<Duration>> = vec![None; count];
        let mut arrived = 0;
        for number in 0..=count {
            let due = begun + Duration::from_secs(1) * u32::try_from(number).expect("few") / PACE;
            let end = if number == count { due + LAST } else { due };
            let _ = self.pool.drive(end, |index, heard, _| {
                let Heard::Reply(reply) = heard else { panic!("connection {index} broke") };
                if index != RECIPIENT {
                    assert_eq!(http::status(reply), 201, "a message was not accepted");
                    return ControlFlow::Continue(());
                }
                let number = number_of(websocket::payload(reply)) - first;
                // A message that is late counts from when it was due, not from when it was sent.
                let was_due = begun + Duration::from_secs(1) * number as u32 / PACE;
                times[number] = Some(was_due.elapsed());
                arrived += 1;
                if arrived == count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if number < count {
                let mut out = Vec::new();
                self.letter.write(self.sent, &mut out);
                self.pool.say(number % SENDERS, &out);
                self.sent += 1;
            }
        }
        times.into_iter().map(|time| time.expect("every message arrives")).collect()
    }
}

/// Which message an event is about: its sender gave it a number.
fn number_of(event: &str) -> usize {
    let event: Value = serde_json::from_str(event).expect("events are JSON");
    let id = event["data"]["client_message_id"].as_str().unwrap_or_else(|| panic!("{event}"));
    id.trim_start_matches('m').parse().expect("a number")
}

fn count(time: Duration) -> usize {
    (time * WALL * PACE).as_secs() as usize
}

fn measured(times: &[Duration], spent: Elapsed, server: &Server) -> Measured {
    let mut timings = Timings::default();
    times.iter().for_each(|time| timings.add(*time));
    let figures = timings.figures();
    let figures = figures.into_iter().filter(|(name, _)| *name != "p99_per_p50").collect();
    Measured { operations: times.len(), spent, peak_rss_kib: server.peak_kib(), figures }
}

impl Trial for Paced {
    fn answer(&mut self) -> Value {
        json!(self.run(100).len())
    }

    fn measure(&mut self, time: Duration) -> Measured {
        self.run(PACE as usize);
        calm_disk();
        let start = self.server.now();
        let times = self.run(count(time));
        measured(&times, self.server.since(&start), &self.server)
    }
}

/// A way to a server and back, and one write to the disk: nobody can be faster.
pub(super) struct PacedLimit {
    server: Server,
    pool: Pool,
    file: File,
    written: u64,
    _data: TempDir,
}

impl PacedLimit {
    pub(super) fn new(request: &Request) -> Self {
        let talk = raw_tcp::talk();
        let mut pool = Pool::new();
        pool.connect([(talk.opening)(0)], 1);
        let data = tempfile::tempdir_in(&request.data).expect("a directory");
        let file = super::group_commit::allocated(&data.path().join("limit"));
        Self { server: talk.server, pool, file, written: 0, _data: data }
    }

    fn run(&mut self, count: usize) -> Vec<Duration> {
        let request = raw_tcp::request();
        let begun = Instant::now();
        let one = |number: usize| {
            let due = begun + Duration::from_secs(1) * number as u32 / PACE;
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let start = Instant::now();
            self.pool.say(0, &request);
            let back = self.pool.drive(start + LAST, |_, _, _| ControlFlow::Break(()));
            assert!(back.is_break(), "nothing came back");
            write_page(&self.file, self.written);
            self.written += 1;
            start.elapsed()
        };
        (0..count).map(one).collect()
    }
}

impl Trial for PacedLimit {
    fn answer(&mut self) -> Value {
        json!(self.run(100).len())
    }

    fn measure(&mut self, time: Duration) -> Measured {
        self.run(PACE as usize);
        calm_disk();
        let start = self.server.now();
        let times = self.run(count(time));
        measured(&times, self.server.since(&start), &self.server)
    }
}
