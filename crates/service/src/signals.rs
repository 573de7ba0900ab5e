//! Termination signals.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that ask a service to stop.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    terminate: Signal,
    #[cfg(unix)]
    interrupt: Signal,
}

impl Signals {
    /// Starts to listen. Call it before the ready line is printed, so that a signal right after that line is
    /// handled. Must be called inside of a runtime.
    ///
    /// # Errors
    ///
    /// If the system does not deliver signals.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        let terminate = signal(SignalKind::terminate())?;
        Ok(Self { terminate, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Starts to listen.
    ///
    /// # Errors
    ///
    /// Never on this platform.
    #[cfg(not(unix))]
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next signal, and returns its name.
    #[cfg(unix)]
    pub async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }

    /// Waits for the next signal, and returns its name.
    #[cfg(not(unix))]
    pub async fn next(&mut self) -> &'static str {
        // If the console cannot be listened to, the service runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        "Ctrl-C"
    }
}
