//! The way over the local admin socket: HTTP/1.1 over a Unix socket, a connection per call.

use std::{fmt, io, path::PathBuf, time::Duration};

use http::{HeaderValue, Uri, header::HOST};
use http_body_util::{BodyExt, Full, Limited};
use hyper::{body::Bytes, client::conn::http1};
use hyper_util::rt::TokioIo;
use tokio::{net::UnixStream, time::timeout};

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
        request.headers_mut().insert(HOST, HeaderValue::from_static("localhost"));
        let stream = UnixStream::connect(&self.path).await.map_err(|error| self.closed(&error))?;
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|error| self.failed(&error))?;
        // It ends with the sender, at the end of this function.
        let connection = tokio::spawn(connection);
        let response = sender.send_request(request).await.map_err(|error| self.failed(&error))?;
        let (head, body) = response.into_parts();
        let body = match Limited::new(body, self.max_answer_bytes).collect().await {
            Ok(body) => body.to_bytes().to_vec(),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => {
                return Err(ClientError::TooLarge(self.max_answer_bytes));
            }
            Err(error) => return Err(self.failed(&error)),
        };
        drop(sender);
        connection.abort();
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
