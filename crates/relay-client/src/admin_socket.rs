//! The way over the local admin socket: HTTP/1.1 over a Unix socket, a connection per call.

use std::{fmt, io, path::PathBuf, time::Duration};

use assent_outbound::{UnixSocketError, send_over_unix_socket};
use http::Uri;
use http_body_util::Full;
use hyper::body::Bytes;
use tokio::time::timeout;

use crate::{ClientError, ClientOptions, transport::Received};

/// The way to the admin socket of a relay on this machine.
#[derive(Debug)]
pub(crate) struct AdminSocket {
    path: PathBuf,
    call_timeout: Duration,
    max_answer_bytes: usize,
}

impl AdminSocket {
    pub(crate) fn new(path: PathBuf, options: &ClientOptions) -> Self {
        let ClientOptions { call_timeout, max_answer_bytes, .. } = *options;
        Self { path, call_timeout, max_answer_bytes }
    }

    pub(crate) async fn send(
        &self,
        target: &str,
        request: http::Request<Full<Bytes>>,
    ) -> Result<Received, ClientError> {
        match timeout(self.call_timeout, self.talk(target, request)).await {
            Ok(received) => received,
            Err(_) => Err(self.failed(&"there was no complete answer in time")),
        }
    }

    async fn talk(
        &self,
        target: &str,
        mut request: http::Request<Full<Bytes>>,
    ) -> Result<Received, ClientError> {
        *request.uri_mut() = target.parse::<Uri>().map_err(|error| self.failed(&error))?;
        let response = send_over_unix_socket(&self.path, request, self.max_answer_bytes).await;
        let response = response.map_err(|error| match error {
            UnixSocketError::Closed(error) => self.closed(&error),
            UnixSocketError::TooLarge(limit) => ClientError::TooLarge(limit),
            UnixSocketError::Failed(error) => self.failed(&error),
        })?;
        let (head, body) = response.into_parts();
        Ok(Received { status: head.status, headers: head.headers, body })
    }

    fn closed(&self, error: &io::Error) -> ClientError {
        let advice = match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => "is the relay running?",
            io::ErrorKind::PermissionDenied => "are you an operator of it?",
            _ => "see the log of the relay",
        };
        self.failed(&format_args!("{error}; {advice}"))
    }

    fn failed(&self, reason: &dyn fmt::Display) -> ClientError {
        ClientError::AdminSocket {
            path: self.path.display().to_string(),
            reason: reason.to_string(),
        }
    }
}
