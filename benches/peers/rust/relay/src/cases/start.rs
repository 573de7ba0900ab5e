//! From nothing to ready.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use assent_bench_harness::{Elapsed, Measured, Request, Timings, Trial};
use serde_json::{Value, json};

use crate::{
    peers::{
        assent::{self, Ground},
        nats,
    },
    programs::program,
    server::{Server, family_time},
};

/// Starts in a measurement.
const STARTS: usize = 9;

/// How long it is idle before the memory is read.
const QUIET: Duration = Duration::from_millis(500);

pub(super) struct Start {
    ground: Ground,
    program: PathBuf,
    launch: fn(&Path, &Path) -> Server,
}

impl Start {
    pub(super) fn new(request: &Request) -> Option<Self> {
        let launch = match request.peer.as_str() {
            "assent-serve" => launch_assent,
            "nats-server" => launch_nats,
            _ => return None,
        };
        let start =
            Self { ground: Ground::new(request), program: program(request, &request.peer), launch };
        // The first one makes the store, which the others find.
        start.start().stop();
        Some(start)
    }

    fn start(&self) -> Server {
        (self.launch)(&self.program, self.ground.data.path())
    }

    /// The program without what is only for debuggers.
    fn stripped_kib(&self) -> u64 {
        let to = self.ground.data.path().join("stripped");
        let done = Command::new("strip").arg("-o").arg(&to).arg(&self.program).status();
        assert!(done.is_ok_and(|status| status.success()), "`strip` is needed");
        fs::metadata(to).expect("`strip` wrote it").len() / 1024
    }
}

/// Ready is what it says.
fn launch_assent(program: &Path, data: &Path) -> Server {
    Server::start(&mut assent::command(Command::new(program), data))
}

/// Ready is whoever accepts connections.
fn launch_nats(program: &Path, _data: &Path) -> Server {
    let address = nats::address();
    Server::start_at(address, &mut nats::arguments(Command::new(program), address))
}

impl Trial for Start {
    fn answer(&mut self) -> Value {
        self.start().stop();
        json!("started")
    }

    fn measure(&mut self, _time: Duration) -> Measured {
        let (mut spent, mut timings) = (Elapsed::default(), Timings::default());
        let mut memory = Vec::new();
        let mut peak_rss_kib = 0;
        for _ in 0..STARTS {
            let begun = Instant::now();
            let server = self.start();
            let wall = begun.elapsed();
            spent += Elapsed { cpu: family_time(server.id()), wall };
            timings.add(wall);
            sleep(QUIET);
            memory.push(server.resident_kib());
            peak_rss_kib = server.peak_kib();
            server.stop();
        }
        memory.sort_unstable();
        let mut figures = timings.figures();
        figures.retain(|(name, _)| *name == "p50_us");
        figures.push(("base_rss_kib", memory[memory.len() / 2] as f64));
        figures.push(("binary_kib", self.stripped_kib() as f64));
        Measured { operations: STARTS, spent, peak_rss_kib, figures }
    }
}
