//! The other end of a connection.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// A client on the network, at its address. A client of IPv4 has an address of IPv4 on any listener.
    Tcp(SocketAddr),
    /// A process on this machine, connected to a Unix socket.
    Unix {
        /// The user that it ran as when it connected.
        uid: u32,
        /// Its process id, where the system tells it.
        pid: Option<i32>,
    },
}

impl Peer {
    /// The network address; that of this machine for a Unix socket.
    #[must_use]
    pub const fn ip(self) -> IpAddr {
        match self {
            Self::Tcp(address) => address.ip(),
            Self::Unix { .. } => IpAddr::V4(Ipv4Addr::LOCALHOST),
        }
    }
}
