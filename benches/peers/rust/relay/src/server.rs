//! A server in a process of its own.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use assent_bench_harness::Elapsed;
use nix::{sys::signal, time, unistd::Pid};
use serde_json::Value;

use crate::{cores::OF_SERVER, memory};

/// No server takes longer to start than this.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server. It is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
}

/// A moment in the life of a server.
pub(crate) struct Moment {
    cpu: Duration,
    wall: Instant,
}

/// A command that runs `program` on the core of servers. It dies with us, whatever kills us.
pub(crate) fn on_its_core(program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", &OF_SERVER.to_string()]);
    command.args(["setpriv", "--pdeathsig", "KILL", "--"]).arg(program);
    command
}

impl Server {
    /// Starts a server that prints where it listens: a line of JSON with `url`.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = spawn(command.stdout(Stdio::piped()));
        let output = child.stdout.take().expect("its output is a pipe");
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        let ready: Value = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("the server said {line:?}: {error}, {read:?}"));
        let url = ready["url"].as_str().expect("the ready line has a URL");
        let address = url.trim_start_matches("http://").parse().expect("an address");
        Self { child, address }
    }

    /// Starts a server that listens on an address that was given to it, and waits until it does.
    pub(crate) fn start_at(address: SocketAddr, command: &mut Command) -> Self {
        let mut server = Self { child: spawn(command.stdout(Stdio::null())), address };
        let end = Instant::now() + PATIENCE;
        while TcpStream::connect(address).is_err() {
            assert!(Instant::now() < end, "nothing listens on {address}");
            if let Ok(Some(status)) = server.child.try_wait() {
                panic!("the server has ended: {status}");
            }
            sleep(Duration::from_micros(200));
        }
        server
    }

    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// This moment.
    pub(crate) fn now(&self) -> Moment {
        Moment { cpu: family_time(self.id()), wall: Instant::now() }
    }

    /// What passed since a moment.
    pub(crate) fn since(&self, moment: &Moment) -> Elapsed {
        let wall = moment.wall.elapsed();
        Elapsed { cpu: family_time(self.id()).saturating_sub(moment.cpu), wall }
    }

    /// The most memory that it ever had.
    pub(crate) fn peak_kib(&self) -> u64 {
        memory::peak_kib(self.id())
    }

    /// What it has in memory now.
    pub(crate) fn resident_kib(&self) -> u64 {
        memory::resident_kib(self.id())
    }

    /// Kills it at once, as a crash would.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Asks it to end, and waits until it has.
    pub(crate) fn stop(mut self) {
        let id = Pid::from_raw(self.id().try_into().expect("a process has a small number"));
        let _ = signal::kill(id, signal::Signal::SIGTERM);
        let end = Instant::now() + PATIENCE;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < end {
            sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.kill();
    }
}

fn spawn(command: &mut Command) -> Child {
    let name = command.get_program().to_owned();
    let child = command.stdin(Stdio::null()).spawn();
    child.unwrap_or_else(|error| panic!("`{}` does not start: {error}", name.display()))
}

/// The CPU time of a process and of its children: PostgreSQL is one process per connection.
pub(crate) fn family_time(process: u32) -> Duration {
    let children = children(process).into_iter().map(time_of);
    time_of(process) + children.sum::<Duration>()
}

/// The CPU time of a process, of all its threads, also of those that have ended.
fn time_of(process: u32) -> Duration {
    let id = Pid::from_raw(process.try_into().expect("a process has a small number"));
    let time = time::clock_getcpuclockid(id).and_then(time::clock_gettime);
    // A child may have ended in between.
    time.map_or(Duration::ZERO, Duration::from)
}

fn children(process: u32) -> Vec<u32> {
    let file = format!("/proc/{process}/task/{process}/children");
    let text = fs::read_to_string(file).unwrap_or_default();
    text.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}
