//! Where connections come from.

use std::io;

use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
};

use crate::Peer;

/// Something that accepts connections.
pub trait Listener: Send + 'static {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// Waits for the next connection. Dropping the future loses none.
    fn accept(&mut self) -> impl Future<Output = io::Result<(Self::Stream, Peer)>> + Send;
}

impl Listener for TcpListener {
    type Stream = TcpStream;

    async fn accept(&mut self) -> io::Result<(TcpStream, Peer)> {
        let (stream, mut peer) = Self::accept(self).await?;
        // Small frames must not wait for more.
        let _ = stream.set_nodelay(true);
        peer.set_ip(peer.ip().to_canonical());
        Ok((stream, Peer::Tcp(peer)))
    }
}
