//! Redis with a log that is on the disk before a client hears of it.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

use assent_bench_harness::Request;
use tempfile::TempDir;

use super::{durable::Appender, nats::address};
use crate::{
    pool::{Framed, Opening},
    programs::program,
    server::{Server, on_its_core},
    speech::{line, redis},
};

/// More recipients than any case has.
const RECIPIENTS: usize = 64;

/// Longer than reading the log of the gate takes.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct Redis {
    server: Server,
    data: TempDir,
}

impl Redis {
    pub(crate) fn start(request: &Request) -> Self {
        let data = tempfile::tempdir_in(&request.data).expect("a directory");
        Self { server: launch(request, data.path()), data }
    }

    fn count(&self, recipient: usize) -> usize {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(count) = self.ask(recipient) {
                return count;
            }
            assert!(Instant::now() < end, "Redis does not come to an end with its log");
            sleep(Duration::from_millis(20));
        }
    }

    /// How long a list is; Redis does not say it as long as it reads its log.
    fn ask(&self, recipient: usize) -> Option<usize> {
        let mut stream = TcpStream::connect(self.server.address).expect("Redis listens");
        stream.write_all(&redis::count(recipient)).expect("Redis reads");
        let (mut reply, mut part) = (Vec::new(), [0; 64]);
        while matches!(line(&reply), Framed::Part) {
            let count = stream.read(&mut part).expect("Redis answers");
            reply.extend_from_slice(&part[..count]);
        }
        redis::number(&reply)
    }
}

/// Nothing is saved but the log, and each command is in it before it is answered.
fn launch(request: &Request, data: &Path) -> Server {
    let address = address();
    let port = address.port().to_string();
    let mut command = on_its_core(&program(request, "redis"));
    command.args(["--bind", "127.0.0.1", "--port", &port, "--save", "", "--appendonly", "yes"]);
    command.args(["--appendfsync", "always", "--auto-aof-rewrite-percentage", "0", "--dir"]);
    Server::start_at(address, command.arg(data))
}

impl Appender for Redis {
    fn servers(&self) -> Vec<&Server> {
        vec![&self.server]
    }

    fn opening(&self, _sender: usize) -> Opening {
        Opening { to: self.server.address, steps: Vec::new(), then: line }
    }

    fn write(&self, sender: usize, _number: usize, body: &str, out: &mut Vec<u8>) {
        out.extend(redis::append(sender, body));
    }

    fn is_accepted(&self, reply: &[u8]) -> bool {
        redis::number(reply).is_some()
    }

    fn found_after_crash(&mut self, request: &Request) -> usize {
        self.server.kill();
        self.server = launch(request, self.data.path());
        (0..RECIPIENTS).map(|recipient| self.count(recipient)).sum()
    }
}
