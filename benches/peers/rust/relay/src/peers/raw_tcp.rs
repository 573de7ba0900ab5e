//! One read, one write: what a connection costs if nobody looks at what it says.

use std::{io::ErrorKind, process::ExitCode};

use tokio::{
    net::{TcpListener, TcpStream},
    runtime::Builder,
};

use super::Talk;
use crate::{
    pool::{Framed, Opening},
    server::{Server, on_its_core},
    speech::websocket,
};

/// The argument that makes this program such a server.
pub(crate) const SERVE: &str = "serve-raw-tcp";

/// The request, which comes back as it is.
pub(crate) fn request() -> Vec<u8> {
    websocket::text(&"x".repeat(websocket::FRAME_BYTES))
}

pub(crate) fn start() -> Server {
    let ourselves = std::env::current_exe().expect("we are a program");
    Server::start(on_its_core(&ourselves).arg(SERVE))
}

pub(crate) fn talk() -> Talk {
    let server = start();
    let to = server.address;
    let opening = move |_| Opening { to, steps: Vec::new(), then: echo };
    Talk { server, opening: Box::new(opening), request: request(), _kept: None }
}

pub(crate) fn echo(bytes: &[u8]) -> Framed {
    // The head of a masked frame whose length needs two bytes.
    const LENGTH: usize = 8 + websocket::FRAME_BYTES;
    if bytes.len() < LENGTH { Framed::Part } else { Framed::Whole(LENGTH) }
}

/// Runs the server, on one thread, until it is killed.
pub(crate) fn serve() -> ExitCode {
    let runtime = Builder::new_current_thread().enable_io().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        println!("{{\"ready\":true,\"url\":\"http://{address}\"}}");
        while let Ok((stream, _)) = listener.accept().await {
            let _ = stream.set_nodelay(true);
            tokio::spawn(give_back(stream));
        }
    });
    ExitCode::FAILURE
}

/// A connection that waits has no buffer.
async fn give_back(stream: TcpStream) {
    while stream.readable().await.is_ok() {
        let mut buffer = [0; 512];
        let count = match stream.try_read(&mut buffer) {
            Ok(count) if count > 0 => count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
            _ => return,
        };
        // Whoever does not read is hung up on: only those who wait for the answer are served here.
        if !matches!(stream.try_write(&buffer[..count]), Ok(written) if written == count) {
            return;
        }
    }
}
