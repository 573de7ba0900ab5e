//! A private PostgreSQL.

use std::{
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use assent_bench_harness::Request;
use nix::unistd::{User, geteuid};
use tempfile::TempDir;

use super::{durable::Appender, nats::address};
use crate::{
    pool::Opening,
    programs::program,
    server::{Server, on_its_core},
    speech::postgres::{self, DATABASE, USER},
};

/// Without a switch, PostgreSQL is as durable as SQLite: each commit waits for the disk.
const TABLES: &str = "CREATE TABLE messages (id bigserial PRIMARY KEY, recipient bigint NOT NULL,
    seq bigint NOT NULL, body bytea NOT NULL); CREATE UNIQUE INDEX ON messages (recipient, seq)";

/// A server on a directory of its own.
pub(crate) struct Postgres {
    /// Dropped before the directory is.
    pub(crate) server: Option<Server>,
    programs: PathBuf,
    data: TempDir,
}

impl Postgres {
    /// Makes an empty one and starts it.
    pub(crate) fn start(request: &Request) -> Self {
        // What is in the path may be a link to it; the others lie beside the server itself.
        let server = program(request, "postgres").canonicalize().expect("PostgreSQL is installed");
        let programs = server.with_file_name("");
        // Its user may not get into the cache of ours. What lies here survives a restart, so it is on a
        // disk; it should be the same one.
        let data = tempfile::tempdir_in("/var/tmp").expect("a directory");
        assert_eq!(device(data.path()), device(&request.data), "both must be on one disk");
        let mode = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(data.path(), mode).expect("the directory is ours");
        if let Some(user) = other_user() {
            let ids = (Some(user.uid.as_raw()), Some(user.gid.as_raw()));
            chown(data.path(), ids.0, ids.1).expect("root may give a directory away");
        }
        let init = ["--auth=trust", "--username", USER, "--no-locale", "--encoding=UTF8", "-D"];
        let made = as_other_user(&programs.join("initdb")).args(init).arg(data.path()).output();
        let made = made.expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let mut postgres = Self { server: None, programs, data };
        postgres.launch();
        postgres
    }

    fn launch(&mut self) {
        let address = address();
        let port = address.port().to_string();
        let mut command = as_other_user(&self.programs.join("postgres"));
        command.args(["-h", "127.0.0.1", "-k", "", "-p", &port, "-c", "max_connections=200", "-D"]);
        command.arg(self.data.path()).stderr(Stdio::null());
        self.server = Some(Server::start_at(address, &mut command));
        // It accepts connections before it answers.
        let end = Instant::now() + Duration::from_secs(60);
        while self.ask("SELECT 1").is_none() {
            assert!(Instant::now() < end, "PostgreSQL does not answer");
            sleep(Duration::from_millis(50));
        }
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        let address = self.server.as_ref().expect("it runs").address;
        format!("postgres://{USER}@{address}/{DATABASE}")
    }

    /// The answer to a statement; `None` if there is none.
    fn ask(&self, statement: &str) -> Option<String> {
        let done = Command::new(self.programs.join("psql"))
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--dbname", &self.url()])
            .args(["--command", statement])
            .output()
            .expect("psql runs");
        done.status.success().then(|| String::from_utf8_lossy(&done.stdout).trim().to_owned())
    }

    /// The table that messages go to.
    pub(crate) fn with_tables(self) -> Self {
        self.ask(TABLES).expect("the tables are made");
        self
    }
}

impl Appender for Postgres {
    fn servers(&self) -> Vec<&Server> {
        self.server.iter().collect()
    }

    fn opening(&self, _sender: usize) -> Opening {
        let to = self.server.as_ref().expect("it runs").address;
        Opening { to, steps: postgres::hello(), then: postgres::until_ready }
    }

    fn write(&self, sender: usize, number: usize, body: &str, out: &mut Vec<u8>) {
        let small = |number| i64::try_from(number).expect("numbers are small");
        out.extend(postgres::insert(small(sender), small(number), body.as_bytes()));
    }

    fn is_accepted(&self, reply: &[u8]) -> bool {
        postgres::inserted(reply)
    }

    fn found_after_crash(&mut self, _request: &Request) -> usize {
        self.server = None;
        // The killed one leaves its processes behind for a moment.
        sleep(Duration::from_secs(1));
        self.launch();
        let count = self.ask("SELECT count(*) FROM messages").expect("PostgreSQL counts");
        count.parse().expect("a number")
    }
}

/// The server refuses to run as root: then it runs as the user that its package made.
fn other_user() -> Option<User> {
    let user = || User::from_name("postgres").ok().flatten().expect("a user `postgres`");
    geteuid().is_root().then(user)
}

fn as_other_user(program: &Path) -> Command {
    let mut command = if other_user().is_some() {
        let mut command = on_its_core(Path::new("setpriv"));
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        command.args(["--pdeathsig", "KILL", "--"]).arg(program);
        command
    } else {
        on_its_core(program)
    };
    command.current_dir("/");
    command
}

fn device(path: &Path) -> u64 {
    path.metadata().expect("it is there").dev()
}
