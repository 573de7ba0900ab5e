//! Sends back what it gets: the server that conformance suites knock at.
//!
//!     cargo run --release --package assent-websocket --example echo -- 127.0.0.1:9001

use std::{error::Error, io};

use assent_websocket::{Frame, Message, Socket, accept_key};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// The longest message: the largest of the suites is 16 MiB.
const LIMIT: usize = 64 << 20;

/// The longest handshake.
const MAX_HEAD: usize = 16 << 10;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let listener = TcpListener::bind(address).await?;
    say(&format!("ws://{}\n", listener.local_addr()?))?;
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(async move {
            // A broken connection ends only its task.
            let _ = serve(stream).await;
        });
    }
}

fn say(text: &str) -> io::Result<()> {
    use std::io::Write as _;
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

async fn serve(mut stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let Some((key, early)) = handshake(&mut stream).await? else { return Ok(()) };
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {}\r\n\r\n",
        accept_key(key.as_bytes())
    );
    stream.write_all(answer.as_bytes()).await?;
    echo(Socket::new(stream, &early, LIMIT)).await
}

/// The key of the client, and what it sent behind its head.
async fn handshake(stream: &mut TcpStream) -> io::Result<Option<(String, Vec<u8>)>> {
    let mut head = Vec::new();
    while head.len() < MAX_HEAD {
        if stream.read_buf(&mut head).await? == 0 {
            return Ok(None);
        }
        let Some(end) = head.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let early = head.split_off(end.saturating_add(4));
        let head = String::from_utf8_lossy(&head);
        let lines = head.lines().filter_map(|line| line.split_once(':'));
        let key = lines
            .filter(|(name, _)| name.eq_ignore_ascii_case("sec-websocket-key"))
            .map(|(_, key)| key.trim().to_owned())
            .next();
        return Ok(key.map(|key| (key, early)));
    }
    Ok(None)
}

async fn echo(mut socket: Socket<TcpStream>) -> io::Result<()> {
    loop {
        let answer = match socket.next().await {
            Ok(Some(Message::Text(text))) => Frame::text(&text),
            Ok(Some(Message::Binary(bytes))) => Frame::binary(&bytes),
            Ok(Some(Message::Ping(payload))) => Frame::pong(&payload),
            Ok(Some(Message::Pong(_))) => continue,
            Ok(Some(Message::Close(code))) => return socket.close(code, "").await,
            Ok(None) => return Ok(()),
            Err(assent_websocket::Error::Violation(violation)) => {
                return socket.close(Some(violation.code()), &violation.to_string()).await;
            }
            Err(assent_websocket::Error::Broken(error)) => return Err(error),
        };
        socket.send(&answer).await?;
    }
}
