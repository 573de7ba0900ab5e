//! Connections on which nothing happens.

use std::{thread::sleep, time::Duration};

use assent_bench_harness::{Measured, Request, Trial};
use serde_json::{Value, json};

use super::frames::AT_ONCE;
use crate::{
    peers::{Talk, talk},
    pool::Pool,
};

const CONNECTIONS: usize = 10_000;

/// How long it is quiet before the memory is read.
const QUIET: Duration = Duration::from_secs(3);

pub(super) struct Idle {
    talk: Talk,
    pool: Pool,
}

impl Idle {
    pub(super) fn new(request: &Request) -> Option<Self> {
        Some(Self { talk: talk(request)?, pool: Pool::new() })
    }

    fn connect(&mut self, count: usize) {
        self.pool.connect((0..count).map(|index| (self.talk.opening)(index)), AT_ONCE);
    }
}

impl Trial for Idle {
    fn answer(&mut self) -> Value {
        self.connect(100);
        json!(self.pool.len())
    }

    /// What it costs to let somebody in, and to keep them.
    fn measure(&mut self, _time: Duration) -> Measured {
        // The first ones make the server allocate what it keeps for everybody.
        self.connect(100);
        sleep(QUIET / 3);
        let (base, start) = (self.talk.server.resident_kib(), self.talk.server.now());
        self.connect(CONNECTIONS);
        let spent = self.talk.server.since(&start);
        sleep(QUIET);
        let grown = self.talk.server.resident_kib().saturating_sub(base);
        let quiet = self.talk.server.now();
        sleep(QUIET);
        let idle = self.talk.server.since(&quiet);
        Measured {
            operations: CONNECTIONS,
            spent,
            peak_rss_kib: self.talk.server.peak_kib(),
            figures: vec![
                ("connection_kib", grown as f64 / CONNECTIONS as f64),
                ("base_rss_kib", base as f64),
                ("idle_cpu_percent", 100.0 * idle.cpu.as_secs_f64() / idle.wall.as_secs_f64()),
            ],
        }
    }
}
