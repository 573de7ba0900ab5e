//! A process that ends with the test that started it.

use std::{
    net::{Ipv4Addr, TcpStream},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// A running process. It is killed, and waited for, when this is dropped.
#[derive(Debug)]
pub struct Process(Child);

impl Process {
    /// Starts it, without a terminal.
    ///
    /// # Panics
    ///
    /// If it cannot be started.
    #[must_use]
    pub fn start(command: &mut Command) -> Self {
        let name = command.get_program().to_owned();
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Self(child.unwrap_or_else(|error| panic!("`{}` does not start: {error}", name.display())))
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(Some(_)))
    }

    /// Kills it at once, as a power cut would, and waits until it is gone.
    pub fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Waits until it accepts connections on `port`.
    ///
    /// # Panics
    ///
    /// If it ends, or if it takes longer than half a minute.
    pub fn wait_for_port(&mut self, port: u16) {
        assert!(self.comes_up(port), "the server has ended");
    }

    /// Waits until it accepts connections on `port`. False if it ends instead.
    ///
    /// # Panics
    ///
    /// If it takes longer than half a minute.
    #[must_use]
    pub fn comes_up(&mut self, port: u16) -> bool {
        let end = Instant::now() + Duration::from_secs(30);
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(Instant::now() < end, "nothing listens on port {port}");
            if self.has_ended() {
                return false;
            }
            sleep(Duration::from_millis(10));
        }
        true
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
