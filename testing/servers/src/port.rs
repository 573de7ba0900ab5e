//! Free ports.

use std::net::{Ipv4Addr, TcpListener};

/// A port of the loopback address that was free a moment ago.
#[must_use]
pub fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("its address").port()
}
