//! One client says something, and many get it.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use assent_bench_harness::{Measured, Request, Timings, Trial};
use serde_json::{Value, json};

use super::frames::AT_ONCE;
use crate::{
    peers::{Topic, topic},
    pool::{Heard, Pool},
};

/// Longer than any delivery takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Time on the wall for each second of CPU time that the driver wants.
const WALL: u32 = 10;

pub(super) struct Fanout {
    topic: Topic,
    pool: Pool,
    subscribers: usize,
    published: usize,
}

impl Fanout {
    pub(super) fn new(request: &Request, subscribers: usize) -> Option<Self> {
        let topic = topic(request)?;
        let mut pool = Pool::new();
        let clients = std::iter::repeat_n(&topic.subscriber, subscribers);
        pool.connect(clients.cloned(), AT_ONCE);
        pool.connect([topic.publisher.clone()], 1);
        Some(Self { topic, pool, subscribers, published: 0 })
    }

    /// Publishes, and waits until everybody has it, the publisher its answer too. Gives the length of
    /// what came last.
    fn publish(&mut self) -> usize {
        let publication = (self.topic.publication)(self.published);
        self.published += 1;
        self.pool.say(self.subscribers, &publication);
        let (mut waiting, mut length) = (self.subscribers + 1, 0);
        let done = self.pool.drive(Instant::now() + PATIENCE, |index, heard, _| {
            let Heard::Reply(reply) = heard else { panic!("connection {index} broke") };
            waiting -= 1;
            if index < self.subscribers {
                length = reply.len();
            }
            if waiting == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(done.is_break(), "{waiting} of {} did not get it", self.subscribers);
        length
    }

    fn publish_for(&mut self, time: Duration) -> (usize, Timings) {
        let end = Instant::now() + time;
        let (mut count, mut timings) = (0, Timings::default());
        while Instant::now() < end {
            let begun = Instant::now();
            self.publish();
            timings.add(begun.elapsed());
            count += 1;
        }
        (count, timings)
    }
}

impl Trial for Fanout {
    fn answer(&mut self) -> Value {
        // More than one: a second one for somebody would be counted as one for somebody else.
        let lengths: Vec<_> = (0..3).map(|_| self.publish()).collect();
        json!({"reached": self.subscribers, "frame_bytes": lengths})
    }

    fn measure(&mut self, time: Duration) -> Measured {
        self.publish_for(time * WALL / 4);
        let start = self.topic.server.now();
        let (publications, mut timings) = self.publish_for(time * WALL);
        let spent = self.topic.server.since(&start);
        let figures = timings.figures();
        Measured {
            operations: publications * self.subscribers,
            spent,
            peak_rss_kib: self.topic.server.peak_kib(),
            figures: figures.into_iter().filter(|(name, _)| *name != "p99_per_p50").collect(),
        }
    }
}
