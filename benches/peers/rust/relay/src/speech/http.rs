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

/// Finds the end of an answer, which tells its length or comes in chunks.
pub(crate) fn response(bytes: &[u8]) -> Framed {
    let Some(head) = end_of_head(bytes) else { return Framed::Part };
    let (head, body) = bytes.split_at(head);
    let length = match field(head, "transfer-encoding") {
        Some("chunked") => chunked(body),
        _ => field(head, "content-length").map_or(Some(0), |length| length.parse().ok()),
    };
    match length.map(|length| head.len() + length) {
        Some(length) if length <= bytes.len() => Framed::Whole(length),
        _ => Framed::Part,
    }
}

/// The length of a body in chunks, if all of it is there.
fn chunked(body: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let line = body.get(at..)?;
        let end = line.windows(2).position(|pair| pair == b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&line[..end]).ok()?, 16).ok()?;
        at += end + 2 + length + 2;
        if length == 0 {
            return Some(at);
        }
    }
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

/// What a head says about something.
fn field<'a>(head: &'a [u8], name: &str) -> Option<&'a str> {
    let head = std::str::from_utf8(head).ok()?;
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    let mut found = fields.filter(|(field, _)| field.eq_ignore_ascii_case(name));
    found.next().map(|(_, value)| value.trim())
}
