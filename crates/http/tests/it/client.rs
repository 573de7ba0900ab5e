//! A client that writes bytes, and reads what comes back.

use std::time::Duration;

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::service::Service;

/// Longer than any step of these tests takes.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A response of HTTP/1.1.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let values = self.head.lines().filter_map(|line| line.split_once(": "));
        values.into_iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }
}

/// Reads until the connection ends.
pub(crate) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Answer {
    let mut bytes = Vec::new();
    // A connection that is reset has ended as well.
    let _ = timeout(TIMEOUT, stream.read_to_end(&mut bytes)).await.expect("an end");
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

/// Reads until `text` has come.
pub(crate) async fn read_until(stream: &mut (impl AsyncRead + Unpin), text: &str) -> String {
    let mut read = String::new();
    while !read.contains(text) {
        let mut bytes = [0; 1024];
        let length = timeout(TIMEOUT, stream.read(&mut bytes)).await.expect("an answer").unwrap();
        assert_ne!(length, 0, "it ended after {read:?}");
        read.push_str(str::from_utf8(&bytes[..length]).unwrap());
    }
    read
}

/// Sends a request and leaves the connection open.
pub(crate) async fn send(stream: &mut (impl AsyncWrite + Unpin), line: &str, headers: &[&str]) {
    let mut head = format!("{line} HTTP/1.1\r\n");
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
}

impl Service {
    /// The response to a request with exactly these headers.
    pub(crate) async fn raw(&self, line: &str, headers: &[&str]) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        send(&mut stream, line, &[headers, &["connection: close"]].concat()).await;
        read(&mut stream).await
    }

    /// The response to a request with these headers and the right host.
    pub(crate) async fn call(&self, line: &str, headers: &[&str]) -> Answer {
        let host = self.host();
        self.raw(line, &[&[host.as_str()], headers].concat()).await
    }

    /// The header with the right host.
    pub(crate) fn host(&self) -> String {
        format!("host: {}", self.address)
    }
}
