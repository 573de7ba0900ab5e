//! The protocol of Redis: appending to lists.

/// Appends to the list of a recipient.
pub(crate) fn append(recipient: usize, body: &str) -> Vec<u8> {
    let list = list(recipient);
    let (key, value) = (list.len(), body.len());
    format!("*3\r\n$5\r\nRPUSH\r\n${key}\r\n{list}\r\n${value}\r\n{body}\r\n").into_bytes()
}

/// Asks how long the list of a recipient is.
pub(crate) fn count(recipient: usize) -> Vec<u8> {
    let list = list(recipient);
    format!("*2\r\n$4\r\nLLEN\r\n${}\r\n{list}\r\n", list.len()).into_bytes()
}

/// A reply that is a number: how long a list is.
pub(crate) fn number(reply: &[u8]) -> Option<usize> {
    std::str::from_utf8(reply).ok()?.strip_prefix(':')?.trim_end().parse().ok()
}

fn list(recipient: usize) -> String {
    format!("inbox:{recipient}")
}
