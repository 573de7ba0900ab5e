//! `nats-server`

use std::{
    net::SocketAddr,
    process::{Command, Stdio},
};

use assent_bench_harness::Request;
use assent_test_servers::free_port;

use super::Talk;
use crate::{
    pool::Opening,
    programs::program,
    server::{Server, on_its_core},
    speech::nats::{hello, pong},
};

/// A free address.
pub(crate) fn address() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], free_port()))
}

/// Adds the arguments of a server that listens on an address.
pub(crate) fn arguments(mut command: Command, address: SocketAddr) -> Command {
    let port = address.port().to_string();
    command.args(["--addr", "127.0.0.1", "--port", &port]).stderr(Stdio::null());
    command
}

pub(crate) fn talk(request: &Request) -> Talk {
    let (program, address) = (program(request, "nats-server"), address());
    let command = on_its_core(&program);
    let server = Server::start_at(address, &mut arguments(command, address));
    let opening = move |_| Opening { to: address, steps: hello(), then: pong };
    Talk { server, opening: Box::new(opening), request: b"PING\r\n".to_vec(), _kept: None }
}
