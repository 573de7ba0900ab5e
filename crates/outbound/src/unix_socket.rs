//! Requests to a service on this machine, over its Unix socket.

use std::{io, path::Path};

use http::{HeaderValue, Request, Response, header::HOST};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::{body::Bytes, client::conn::http1};
use hyper_util::rt::TokioIo;
use tokio::net::UnixStream;

/// Why a request over a Unix socket has no response.
#[derive(Debug, thiserror::Error)]
pub enum UnixSocketError {
    /// The socket cannot be opened.
    #[error("{0}")]
    Closed(io::Error),
    /// The connection failed.
    #[error("{0}")]
    Failed(Box<dyn std::error::Error + Send + Sync>),
    /// The body of the response is longer than this many bytes.
    #[error("the response has more than {0} bytes")]
    TooLarge(usize),
}

/// Sends a request over the Unix socket at `path`, on a connection of its own, and reads a response of at most
/// `max_bytes`.
///
/// # Errors
/// If there is no complete response.
pub async fn send_over_unix_socket(
    path: &Path,
    mut request: Request<Full<Bytes>>,
    max_bytes: usize,
) -> Result<Response<Vec<u8>>, UnixSocketError> {
    request.headers_mut().insert(HOST, HeaderValue::from_static("localhost"));
    let stream = UnixStream::connect(path).await.map_err(UnixSocketError::Closed)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
    // It ends with the sender, at the end of this function.
    let connection = tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(failed)?;
    let (head, body) = response.into_parts();
    let body = match Limited::new(body, max_bytes).collect().await {
        Ok(body) => body.to_bytes().to_vec(),
        Err(error) if error.is::<LengthLimitError>() => {
            return Err(UnixSocketError::TooLarge(max_bytes));
        }
        Err(error) => return Err(UnixSocketError::Failed(error)),
    };
    drop(sender);
    connection.abort();
    Ok(Response::from_parts(head, body))
}

fn failed(error: hyper::Error) -> UnixSocketError {
    UnixSocketError::Failed(error.into())
}
