//! HTTP/1.1 on a connection that stays.

use std::net::SocketAddr;

use crate::pool::Framed;

/// Finds the end of an answer without a body.
pub(crate) fn head(bytes: &[u8]) -> Framed {
    match end_of_head(bytes) {
        Some(end) => Framed::Whole(end),
        None => Framed::Part,
    }
}

/// Finds the end of an answer that tells its length.
pub(crate) fn response(bytes: &[u8]) -> Framed {
    let Some(head) = end_of_head(bytes) else { return Framed::Part };
    let length = head + content_length(&bytes[..head]);
    if bytes.len() < length { Framed::Part } else { Framed::Whole(length) }
}

/// The status of an answer.
pub(crate) fn status(response: &[u8]) -> u16 {
    let digits = response.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok());
    digits.and_then(|digits| digits.parse().ok()).expect("an answer begins with its status")
}

/// The head of a request with a body of JSON.
pub(crate) fn request(
    to: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    length: usize,
) -> Vec<u8> {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {to}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    head.into_bytes()
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    Some(bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4)
}

fn content_length(head: &[u8]) -> usize {
    let head = std::str::from_utf8(head).expect("heads are texts");
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    let length = fields.filter(|(name, _)| name.eq_ignore_ascii_case("content-length")).next_back();
    length.and_then(|(_, length)| length.trim().parse().ok()).unwrap_or_default()
}
