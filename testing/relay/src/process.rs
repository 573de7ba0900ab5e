//! A relay in a process of its own.

use std::{
    ffi::OsStr,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::timeout,
};

use crate::Address;

/// A relay that runs. It is killed when this is dropped.
#[derive(Debug)]
pub struct Relay {
    child: Child,
    /// Where it listens.
    pub address: Address,
    /// How long it took to be ready.
    pub ready_after: Duration,
}

impl Relay {
    /// Starts `program serve` on `data`, with further arguments, and waits until it is ready. Its log goes
    /// to `relay.log` in the data directory.
    pub async fn start(
        program: impl AsRef<OsStr>,
        data: &Path,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let begun = Instant::now();
        let log =
            std::fs::OpenOptions::new().create(true).append(true).open(data.join("relay.log"));
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "json", "--data"])
            .arg(data)
            .args(arguments)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.map_or_else(|_| Stdio::null(), Stdio::from))
            .kill_on_drop(true)
            .spawn()
            .expect("the relay starts");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = timeout(Duration::from_secs(30), lines.next_line()).await;
        let line = line.expect("ready in time").unwrap().expect("a line before the end");
        let ready: Value = serde_json::from_str(&line).unwrap();
        let url = ready["url"].as_str().unwrap().strip_prefix("http://").unwrap();
        let address = Address(url.parse().unwrap());
        Self { child, address, ready_after: begun.elapsed() }
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id().unwrap_or_default()
    }

    /// Kills it at once and waits until it is gone.
    pub async fn kill(mut self) {
        let _ = self.child.kill().await;
    }

    /// Waits for its end and gives its exit code.
    pub async fn wait(&mut self) -> Option<i32> {
        self.child.wait().await.ok().and_then(|status| status.code())
    }
}
