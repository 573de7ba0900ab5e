//! Many connections are held, then all of them break at once and come back.
//!
//! Messages are sent before, during and after. Every socket of an agent has to get every message to it that
//! was acknowledged, once and in order, whatever happened in between.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use assent_bench_harness::{Elapsed, Measured, Request, Trial};
use assent_test_relay::Agent;
use serde_json::{Value, json};

use super::frames::AT_ONCE;
use crate::{
    peers::assent::{self, Ground, Letter, Way},
    pool::{Heard, Opening, Pool},
    server::Server,
    speech::{http, websocket},
};

/// One in eleven sockets says something every second; the others are silent.
const SOCKETS: usize = 11_000;
const ONE_IS_ACTIVE: usize = 11;
const PAUSE: Duration = Duration::from_secs(1);

/// Who they belong to, and how many of them get messages.
const AGENTS: usize = 100;
const WRITTEN_TO: usize = 20;

/// Messages in a second, to one agent after the other.
const PACE: u32 = 40;

/// How long the sockets are held before the storm.
const HELD: Duration = Duration::from_secs(5);

/// Longer than a storm may take, and than what follows it.
const PATIENCE: Duration = Duration::from_secs(90);

/// How long we listen before we look what else is to do.
const SLICE: Duration = Duration::from_millis(5);

pub(super) struct Hold {
    server: Server,
    agents: Vec<Agent>,
    letters: Vec<Letter>,
    pool: Pool,
    sockets: Vec<Socket>,
    senders: Vec<Sender>,
    tally: Tally,
    _ground: Ground,
}

/// What a socket has heard.
#[derive(Clone, Default)]
struct Socket {
    open: bool,
    /// The number of its last event: where it goes on after the storm.
    event: u64,
    /// The number of the last message in the conversation.
    message: u64,
}

/// A connection over which messages to one agent go, one at a time.
struct Sender {
    sent: usize,
    acknowledged: u64,
    waiting: bool,
}

#[derive(Default)]
struct Tally {
    lost: u64,
    repeated: u64,
    pongs: u64,
    retries: u64,
}

impl Hold {
    pub(super) fn new(request: &Request) -> Self {
        let ground = Ground::new(request);
        let server = ground.start(request);
        let owner = ground.person(&server, "owner");
        let agents = ground.agents(&server, &owner, AGENTS);
        let letters: Vec<_> = agents[..WRITTEN_TO]
            .iter()
            .map(|agent| {
                let relation = ground.relate(&server, &owner, agent);
                Letter::new(Way::Requests, &server, &owner, &relation, "x")
            })
            .collect();
        let mut pool = Pool::new();
        // Nobody is interested in how the relations came about.
        let after = Some(u64::from(u32::MAX));
        let openings =
            (0..SOCKETS).map(|socket| assent::socket(&server, &agents[socket % AGENTS], after));
        pool.connect(openings, AT_ONCE);
        pool.connect((0..WRITTEN_TO).map(|_| assent::requests(&server)), WRITTEN_TO);
        let sockets = vec![Socket { open: true, ..Socket::default() }; SOCKETS];
        let sender = |_| Sender { sent: 0, acknowledged: 0, waiting: false };
        let senders = (0..WRITTEN_TO).map(sender).collect();
        let tally = Tally::default();
        Self { server, agents, letters, pool, sockets, senders, tally, _ground: ground }
    }

    /// How a socket comes back: behind the last event that it has.
    fn opening(&self, socket: usize) -> Opening {
        let event = self.sockets[socket].event;
        let after = if event == 0 { u64::from(u32::MAX) } else { event };
        assent::socket(&self.server, &self.agents[socket % AGENTS], Some(after))
    }

    /// Listens for a moment, and lets those come back whose connections broke.
    fn listen(&mut self) {
        let mut broken = Vec::new();
        let (sockets, senders, tally) = (&mut self.sockets, &mut self.senders, &mut self.tally);
        let _ = self.pool.drive(Instant::now() + SLICE, |index, heard, _| {
            match (index.checked_sub(SOCKETS), heard) {
                (None, Heard::Open(reply)) => sockets[index].let_in(websocket::payload(reply)),
                (None, Heard::Reply(reply)) => {
                    sockets[index].hear(websocket::payload(reply), tally)
                }
                (None, Heard::Lost) => broken.push(index),
                (Some(sender), Heard::Reply(reply)) => senders[sender].hear(reply),
                (Some(_), _) => panic!("a sender was cut off"),
            }
            ControlFlow::Continue(())
        });
        for socket in broken {
            self.tally.retries += 1;
            self.sockets[socket].open = false;
            let opening = self.opening(socket);
            self.pool.again(socket, opening);
        }
    }

    /// Sends the next message, if the one before to the same agent was acknowledged.
    fn send(&mut self, number: usize) {
        let place = number % WRITTEN_TO;
        let sender = &mut self.senders[place];
        if sender.waiting {
            return;
        }
        let mut out = Vec::new();
        self.letters[place].write(sender.sent, &mut out);
        sender.sent += 1;
        sender.waiting = true;
        self.pool.say(SOCKETS + place, &out);
    }

    /// Goes on until `enough`, with messages at their pace and active sockets speaking in turn.
    fn go_on(&mut self, enough: impl Fn(&Self, Duration) -> bool) -> Duration {
        let begun = Instant::now();
        let ping = assent::ping();
        let active = SOCKETS / ONE_IS_ACTIVE;
        let (mut messages, mut pings) = (0_u32, 0_usize);
        while !enough(self, begun.elapsed()) {
            assert!(begun.elapsed() < PATIENCE, "{} sockets are not open", self.closed());
            self.listen();
            while Duration::from_secs(1) * messages / PACE < begun.elapsed() {
                self.send(messages as usize);
                messages += 1;
            }
            let due = begun.elapsed().as_secs_f64() / PAUSE.as_secs_f64() * active as f64;
            while (pings as f64) < due {
                let socket = pings % active * ONE_IS_ACTIVE;
                if self.sockets[socket].open {
                    self.pool.say(socket, &ping);
                }
                pings += 1;
            }
        }
        begun.elapsed()
    }

    /// Breaks all connections and waits until all are back.
    fn storm(&mut self) -> Duration {
        for socket in 0..SOCKETS {
            self.sockets[socket].open = false;
            let opening = self.opening(socket);
            self.pool.again(socket, opening);
        }
        self.go_on(|hold, _| hold.closed() == 0)
    }

    fn closed(&self) -> usize {
        self.sockets.iter().filter(|socket| !socket.open).count()
    }

    /// Waits for the last acknowledgements and deliveries, and counts what never came.
    fn settle(&mut self) {
        let end = Instant::now() + Duration::from_secs(10);
        while Instant::now() < end && (self.missing() > 0 || self.waiting()) {
            self.listen();
        }
        self.tally.lost += self.missing();
    }

    fn waiting(&self) -> bool {
        self.senders.iter().any(|sender| sender.waiting)
    }

    /// Messages that were acknowledged and are not at all sockets yet.
    fn missing(&self) -> u64 {
        let missing = |(index, socket): (usize, &Socket)| {
            let sender = self.senders.get(index % AGENTS);
            sender.map_or(0, |sender| sender.acknowledged.saturating_sub(socket.message))
        };
        self.sockets.iter().enumerate().map(missing).sum()
    }

    /// Holds, breaks and settles. Gives what the storm took.
    fn run(&mut self) -> Elapsed {
        self.go_on(|_, time| time >= HELD);
        let start = self.server.now();
        let wall = self.storm();
        let cpu = self.server.since(&start).cpu;
        self.settle();
        Elapsed { cpu, wall }
    }
}

impl Socket {
    fn let_in(&mut self, answer: &str) {
        assert!(answer.contains("\"auth.ok\""), "not let in: {answer}");
        self.open = true;
    }

    /// An event or a pong; what is no message may be anything.
    fn hear(&mut self, frame: &str, tally: &mut Tally) {
        if !frame.starts_with("{\"type\":\"message.new\"") {
            tally.pongs += 1;
            return;
        }
        let event: Value = serde_json::from_str(frame).expect("events are JSON");
        let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{event}"));
        self.event = number(&event["event_id"]);
        let message = number(&event["data"]["conversation_seq"]);
        if message <= self.message {
            tally.repeated += 1;
        } else {
            tally.lost += message - self.message - 1;
            self.message = message;
        }
    }
}

impl Sender {
    fn hear(&mut self, reply: &[u8]) {
        assert_eq!(http::status(reply), 201, "a message was not accepted");
        self.acknowledged += 1;
        self.waiting = false;
    }
}

impl Trial for Hold {
    fn answer(&mut self) -> Value {
        self.run();
        let acknowledged: u64 = self.senders.iter().map(|sender| sender.acknowledged).sum();
        json!({
            "back": SOCKETS - self.closed(),
            "messages": acknowledged > u64::from(PACE),
            "pongs": self.tally.pongs > 0,
            "lost": self.tally.lost,
            "repeated": self.tally.repeated,
        })
    }

    fn measure(&mut self, _time: Duration) -> Measured {
        let spent = self.run();
        let tally = &self.tally;
        assert_eq!((tally.lost, tally.repeated), (0, 0), "messages were lost or came twice");
        Measured {
            operations: SOCKETS,
            spent,
            peak_rss_kib: self.server.peak_kib(),
            figures: vec![
                ("all_served_s", spent.wall.as_secs_f64()),
                ("retries", tally.retries as f64),
            ],
        }
    }
}
