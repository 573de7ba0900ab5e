//! The protocol of PostgreSQL: one prepared statement, again and again.

use crate::pool::{Framed, Step};

/// The user and the database that a private server has from the beginning.
pub(crate) const USER: &str = "assent";
pub(crate) const DATABASE: &str = "postgres";

const VERSION: i32 = 3 << 16;
const INSERT: &str = "INSERT INTO messages (recipient, seq, body) VALUES ($1, $2, $3)";

/// Logs in and prepares the statement.
pub(crate) fn hello() -> Vec<Step> {
    let mut start = VERSION.to_be_bytes().to_vec();
    for word in ["user", USER, "database", DATABASE, ""] {
        text(&mut start, word);
    }
    let mut hello = Vec::new();
    put_length(&mut hello, &start);
    let mut parse = Vec::new();
    text(&mut parse, "insert");
    text(&mut parse, INSERT);
    parse.extend_from_slice(&0_i16.to_be_bytes());
    let mut prepare = message(b'P', &parse);
    prepare.extend(message(b'S', &[]));
    vec![Step { say: hello, hear: until_ready }, Step { say: prepare, hear: until_ready }]
}

/// Inserts a row, in a transaction of its own.
pub(crate) fn insert(recipient: i64, seq: i64, body: &[u8]) -> Vec<u8> {
    let mut bind = Vec::new();
    text(&mut bind, "");
    text(&mut bind, "insert");
    // All three are binary.
    bind.extend_from_slice(&[0, 1, 0, 1, 0, 3]);
    put_value(&mut bind, &recipient.to_be_bytes());
    put_value(&mut bind, &seq.to_be_bytes());
    put_value(&mut bind, body);
    bind.extend_from_slice(&0_i16.to_be_bytes());
    let mut said = message(b'B', &bind);
    said.extend(message(b'E', &[0; 5]));
    said.extend(message(b'S', &[]));
    said
}

/// Whether a row was inserted: it was bound, and the command is complete.
pub(crate) fn inserted(reply: &[u8]) -> bool {
    tags(reply).eq(*b"2CZ")
}

/// Finds the message that says that the server is ready for more.
pub(crate) fn until_ready(bytes: &[u8]) -> Framed {
    let mut at = 0;
    while let Some((tag, length)) = head(&bytes[at..]) {
        at += length;
        if at > bytes.len() {
            return Framed::Part;
        }
        if tag == b'Z' {
            return Framed::Whole(at);
        }
    }
    Framed::Part
}

fn tags(reply: &[u8]) -> impl Iterator<Item = u8> {
    let mut rest = reply;
    std::iter::from_fn(move || {
        let (tag, length) = head(rest)?;
        rest = rest.get(length..)?;
        Some(tag)
    })
}

fn head(bytes: &[u8]) -> Option<(u8, usize)> {
    let (tag, rest) = bytes.split_first()?;
    let length = i32::from_be_bytes(*rest.first_chunk()?);
    Some((*tag, usize::try_from(length).expect("lengths are positive") + 1))
}

fn message(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut message = vec![tag];
    put_length(&mut message, content);
    message
}

/// The length counts itself.
fn put_length(out: &mut Vec<u8>, content: &[u8]) {
    let length = i32::try_from(content.len() + 4).expect("messages are short");
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(content);
}

fn put_value(out: &mut Vec<u8>, value: &[u8]) {
    let length = i32::try_from(value.len()).expect("values are short");
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(value);
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
    out.push(0);
}
