//! A private PostgreSQL.

use std::{
    env, fs, io,
    os::unix::fs::{PermissionsExt as _, chown},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread::sleep,
    time::Duration,
};

use tempfile::TempDir;

use crate::{Process, free_port};

/// Names the server that all tests of a run share, if one was started.
const SHARED: &str = "ASSENT_TEST_POSTGRES";

/// A server.
#[derive(Debug)]
pub struct Postgres {
    process: Process,
    data: TempDir,
    port: u16,
    /// Variables that it is started with.
    environment: Vec<(String, String)>,
}

/// A database of its own for one test, on the shared server or, without one, on a server of its own.
#[derive(Debug)]
pub struct Database {
    url: String,
    _server: Option<Postgres>,
}

impl Database {
    /// Where it is.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// A new, empty database.
///
/// # Panics
///
/// If there is no PostgreSQL on this machine.
#[must_use]
pub fn database() -> Database {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = env::var(SHARED).is_err().then(Postgres::start);
    let base = server.as_ref().map_or_else(|| env::var(SHARED).unwrap(), Postgres::base);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("test_{}_{number}", std::process::id());
    query(&base, &format!("CREATE DATABASE {name}"));
    Database { url: format!("{base}/{name}"), _server: server }
}

impl Postgres {
    /// Starts one.
    ///
    /// # Panics
    ///
    /// If there is no PostgreSQL on this machine.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts one, with these variables in its environment.
    ///
    /// # Panics
    ///
    /// If there is no PostgreSQL on this machine.
    #[must_use]
    pub fn start_with(environment: &[(&str, &str)]) -> Self {
        let environment: Vec<(String, String)> = environment
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let data = tempfile::tempdir().unwrap();
        let user = user();
        if let Some((user, group)) = user {
            chown(data.path(), Some(user), Some(group)).unwrap();
        }
        fs::set_permissions(data.path(), fs::Permissions::from_mode(0o700)).unwrap();
        let init = command("initdb", user.is_some())
            .args(["--auth=trust", "--username=assent", "--no-locale", "--encoding=UTF8"])
            .args(["--no-sync", "--pgdata"])
            .arg(data.path())
            .stdout(Stdio::null())
            .status();
        assert!(init.expect("initdb runs").success());
        let port = free_port();
        let process = launch(data.path(), port, user.is_some(), &environment);
        Self { process, data, port, environment }
    }

    /// Starts two: one that is written to, and one that has everything before it is acknowledged.
    ///
    /// # Panics
    ///
    /// If there is no PostgreSQL on this machine.
    #[must_use]
    pub fn start_pair() -> (Self, Self) {
        let (first, mut second) = (Self::start(), Self::start());
        // Copied along: the server that takes over waits for the others as well.
        first.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
        first.query("SELECT pg_reload_conf()");
        second.follow(&first);
        (first, second)
    }

    /// Kills it, and restarts it as a copy of another one, which it follows from now on.
    ///
    /// # Panics
    ///
    /// If the other one cannot be copied.
    pub fn follow(&mut self, other: &Self) {
        self.process.kill();
        for entry in fs::read_dir(self.data.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
        }
        let as_other = user().is_some();
        let copied = command("pg_basebackup", as_other)
            .args(["--host=127.0.0.1", "--username=assent", "--checkpoint=fast", "--no-sync"])
            .args(["--write-recovery-conf", "--port", &other.port.to_string(), "--pgdata"])
            .arg(self.data.path())
            .output()
            .expect("pg_basebackup runs");
        assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        self.process = launch(self.data.path(), self.port, as_other, &self.environment);
    }

    /// Stops following: from now on it is written to.
    ///
    /// # Panics
    ///
    /// If it followed no server before.
    pub fn promote(&self) {
        self.query("SELECT pg_promote()");
    }

    /// The port on which it listens.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Asks it something as its owner.
    ///
    /// # Panics
    ///
    /// If it refuses.
    pub fn query(&self, sql: &str) {
        query(&self.base(), sql);
    }

    /// Where it is, without a database.
    #[must_use]
    pub fn base(&self) -> String {
        format!("postgres://assent@127.0.0.1:{}", self.port)
    }

    /// Kills it at once.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Starts it again on its port.
    pub fn restart(&mut self) {
        self.process.kill();
        self.process = launch(self.data.path(), self.port, user().is_some(), &self.environment);
    }
}

fn query(base: &str, sql: &str) {
    let asked = Command::new("psql")
        .args(["--no-psqlrc", "--quiet", "--dbname", &format!("{base}/postgres")])
        .args(["--set=ON_ERROR_STOP=1", "--command", sql])
        .output()
        .expect("psql runs");
    assert!(asked.status.success(), "{}", String::from_utf8_lossy(&asked.stderr));
}

fn launch(data: &Path, port: u16, as_other: bool, environment: &[(String, String)]) -> Process {
    let port_text = port.to_string();
    // Processes of a server that was killed may not have noticed yet; while they are there, none begins.
    for _ in 0..100 {
        let mut process = Process::start(
            command("postgres", as_other)
                .args(["-h", "127.0.0.1", "-k", "", "-p", &port_text])
                .args(["-c", "max_connections=200", "-D"])
                .arg(data)
                .envs(environment.iter().map(|(name, value)| (name, value))),
        );
        if process.comes_up(port) && comes_to_answer(&mut process, &port_text) {
            return process;
        }
        sleep(Duration::from_millis(100));
    }
    panic!("the server does not start");
}

/// It accepts connections before it has finished its recovery, and before it finds that it cannot begin. False if it
/// ends instead.
fn comes_to_answer(process: &mut Process, port: &str) -> bool {
    for _ in 0..1000 {
        let ready = Command::new(installed("pg_isready"))
            .args(["--quiet", "--host=127.0.0.1", "--port", port])
            .status();
        if ready.is_ok_and(|status| status.success()) {
            return true;
        }
        if process.has_ended() {
            return false;
        }
        sleep(Duration::from_millis(20));
    }
    panic!("the server does not become ready");
}

/// The server refuses to run as root: then it runs as the user that its package made.
fn user() -> Option<(u32, u32)> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let ask = |what: &str| -> io::Result<u32> {
        let said = Command::new("id").args([what, "postgres"]).output()?;
        String::from_utf8_lossy(&said.stdout).trim().parse().map_err(io::Error::other)
    };
    Some((ask("-u").expect("a user `postgres`"), ask("-g").expect("a group `postgres`")))
}

fn command(program: &str, as_other: bool) -> Command {
    let program = installed(program);
    if !as_other {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    // The directory of the tests may be closed to it.
    command.current_dir("/");
    command
}

/// Debian keeps the server's programs out of the path.
fn installed(program: &str) -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let found = versions.map(|version| version.path().join("bin").join(program));
    found.filter(|path| path.exists()).max().unwrap_or_else(|| PathBuf::from(program))
}
