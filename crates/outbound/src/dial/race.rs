//! Connects to whichever address answers first, giving earlier ones a head start.

use std::{io, net::SocketAddr, time::Duration};

use tokio::{net::TcpStream, task::JoinSet, time::timeout};

/// The head start (RFC 8305): a family of addresses that leads nowhere costs this, not the whole time.
const HEAD_START: Duration = Duration::from_millis(250);

/// Connects to one of these addresses. All other attempts are canceled when one succeeds, or when the future
/// is dropped.
pub(super) async fn connect(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut waiting = addresses.iter().copied();
    let mut running = JoinSet::new();
    let mut failure = io::Error::from(io::ErrorKind::AddrNotAvailable);
    loop {
        match waiting.next() {
            Some(address) => drop(running.spawn(TcpStream::connect(address))),
            None if running.is_empty() => return Err(failure),
            None => {}
        }
        match timeout(HEAD_START, running.join_next()).await {
            Ok(Some(Ok(Ok(stream)))) => return Ok(stream),
            Ok(Some(Ok(Err(error)))) => failure = error,
            Ok(Some(Err(ended))) => failure = io::Error::other(ended),
            Ok(None) | Err(_) => {}
        }
    }
}
