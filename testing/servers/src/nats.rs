//! A private NATS server.

use std::process::Command;

use crate::{Process, free_port};

/// A server that can be killed and started again on the same port.
#[derive(Debug)]
pub struct Nats {
    process: Process,
    port: u16,
}

impl Nats {
    /// Starts one on a free port.
    #[must_use]
    pub fn start() -> Self {
        let port = free_port();
        Self { process: launch(port), port }
    }

    /// Where it is.
    #[must_use]
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it at once.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Starts it again on its port.
    pub fn restart(&mut self) {
        self.process.kill();
        self.process = launch(self.port);
    }
}

fn launch(port: u16) -> Process {
    let port_text = port.to_string();
    let mut process = Process::start(Command::new("nats-server").args([
        "--addr",
        "127.0.0.1",
        "--port",
        &port_text,
    ]));
    process.wait_for_port(port);
    process
}
