//! Many senders, each waiting until its message is stored.

use std::{
    ops::ControlFlow,
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use assent_bench_harness::{Elapsed, Measured, Request, Trial};
use serde_json::{Value, json};

use crate::{
    peers::durable::{Appender, appender},
    pool::{Heard, Pool},
};

/// What a message holds.
pub(crate) const BODY_BYTES: usize = 1024;

/// Messages of each sender for the gate.
pub(super) const FOR_THE_GATE: usize = 20;

/// How long to measure: the disk decides, not the CPU time that the driver wants, and it has spells of a
/// second in which it does nothing at all.
pub(super) fn on_the_wall(time: Duration) -> Duration {
    (time * 15).max(Duration::from_secs(2))
}

pub(super) struct Durable {
    appender: Box<dyn Appender>,
    pool: Pool,
    request: Request,
    body: String,
    /// How many messages each sender has sent.
    sent: Vec<usize>,
}

impl Durable {
    pub(super) fn new(request: &Request, senders: usize) -> Option<Self> {
        let appender = appender(request, senders)?;
        let mut pool = Pool::new();
        pool.connect((0..senders).map(|sender| appender.opening(sender)), senders);
        let (body, sent) = ("x".repeat(BODY_BYTES), vec![0; senders]);
        Some(Self { appender, pool, request: request.clone(), body, sent })
    }

    fn everybody_sends(&mut self) {
        for sender in 0..self.pool.len() {
            let mut out = Vec::new();
            self.appender.write(sender, self.sent[sender], &self.body, &mut out);
            self.sent[sender] += 1;
            self.pool.say(sender, &out);
        }
    }

    /// Goes on until the time is over or each sender has sent so many; counts what was accepted.
    fn go_on(&mut self, time: Duration, most: usize) -> usize {
        let mut accepted = 0;
        let everything = most.saturating_mul(self.sent.len());
        let _ = self.pool.drive(Instant::now() + time, |sender, heard, out| {
            let Heard::Reply(reply) = heard else { panic!("sender {sender} was cut off") };
            let text = || String::from_utf8_lossy(reply).into_owned();
            assert!(self.appender.is_accepted(reply), "not accepted: {}", text());
            accepted += 1;
            if self.sent[sender] < most {
                self.appender.write(sender, self.sent[sender], &self.body, out);
                self.sent[sender] += 1;
            }
            if accepted == everything { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        accepted
    }
}

impl Trial for Durable {
    /// How many messages were accepted, and how many are still there after a crash.
    fn answer(&mut self) -> Value {
        self.everybody_sends();
        let accepted = self.go_on(Duration::from_secs(60), FOR_THE_GATE);
        json!({"accepted": accepted, "found": self.appender.found_after_crash(&self.request)})
    }

    fn measure(&mut self, time: Duration) -> Measured {
        calm_disk();
        self.everybody_sends();
        let time = on_the_wall(time);
        self.go_on(time / 4, usize::MAX);
        let starts: Vec<_> = self.appender.servers().iter().map(|server| server.now()).collect();
        let operations = self.go_on(time, usize::MAX);
        let mut spent = Elapsed::default();
        for (server, start) in self.appender.servers().iter().zip(&starts) {
            let of_server = server.since(start);
            spent = Elapsed { cpu: spent.cpu + of_server.cpu, wall: of_server.wall };
        }
        let rate = operations as f64 / spent.wall.as_secs_f64();
        let peak_rss_kib = self.appender.servers().iter().map(|server| server.peak_kib()).sum();
        Measured { operations, spent, peak_rss_kib, figures: vec![("ops_per_s", rate)] }
    }
}

/// Writes out what others have left behind: the disk would do it while we measure.
pub(super) fn calm_disk() {
    let _ = Command::new("sync").status();
    sleep(Duration::from_millis(300));
}
