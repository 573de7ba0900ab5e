//! Every client says something and waits for the answer before it goes on.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use assent_bench_harness::{Measured, Request, Trial};
use serde_json::{Value, json};

use crate::{
    peers::{Talk, talk},
    pool::{Heard, Pool},
};

/// Connections that are made at a time.
pub(super) const AT_ONCE: usize = 64;

/// Time on the wall for each second of CPU time that the driver wants: the server may idle, and the
/// figures are steadier.
const WALL: u32 = 10;

pub(super) struct Frames {
    talk: Talk,
    pool: Pool,
}

impl Frames {
    pub(super) fn new(request: &Request, connections: usize) -> Option<Self> {
        let talk = talk(request)?;
        let mut pool = Pool::new();
        pool.connect((0..connections).map(|index| (talk.opening)(index)), AT_ONCE);
        Some(Self { talk, pool })
    }

    fn everybody_speaks(&mut self) {
        for index in 0..self.pool.len() {
            self.pool.say(index, &self.talk.request);
        }
    }

    /// Goes on for some time, and says how many answers there were.
    fn go_on(&mut self, time: Duration) -> usize {
        let mut count = 0;
        let _ = self.pool.drive(Instant::now() + time, |index, heard, say| {
            let Heard::Reply(_) = heard else { panic!("connection {index} broke") };
            count += 1;
            say.extend_from_slice(&self.talk.request);
            ControlFlow::Continue(())
        });
        count
    }
}

impl Trial for Frames {
    /// How many answers each client gets to one frame, and how long it is.
    fn answer(&mut self) -> Value {
        self.everybody_speaks();
        let mut answers = vec![0_usize; self.pool.len()];
        let mut length = 0;
        let _ = self.pool.drive(Instant::now() + Duration::from_secs(2), |index, heard, _| {
            let Heard::Reply(reply) = heard else { panic!("connection {index} broke") };
            answers[index] += 1;
            length = reply.len();
            ControlFlow::Continue(())
        });
        let once = answers.iter().filter(|count| **count == 1).count();
        json!({"asked": answers.len(), "answered_once": once, "reply_bytes": length})
    }

    fn measure(&mut self, time: Duration) -> Measured {
        self.everybody_speaks();
        self.go_on(time * WALL / 4);
        let start = self.talk.server.now();
        let operations = self.go_on(time * WALL);
        let spent = self.talk.server.since(&start);
        let rate = operations as f64 / spent.wall.as_secs_f64();
        Measured {
            operations,
            spent,
            peak_rss_kib: self.talk.server.peak_kib(),
            figures: vec![("ops_per_s", rate)],
        }
    }
}
