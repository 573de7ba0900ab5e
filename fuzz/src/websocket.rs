//! What must hold for any bytes on a socket.

use assent_websocket::{Message, Reader, Violation};

const LIMIT: usize = 4096;

/// Bytes mean the same however they arrive, and no message is longer than was agreed.
pub fn websocket_reader(data: &[u8]) {
    let whole = read(data, usize::MAX);
    for at_once in [1, 3, 64] {
        assert_eq!(read(data, at_once), whole, "{at_once} at once");
    }
    for message in whole.0 {
        let length = match message {
            Message::Text(text) => text.len(),
            Message::Binary(bytes) => bytes.len(),
            Message::Ping(bytes) | Message::Pong(bytes) => {
                assert!(bytes.len() <= 125);
                0
            }
            Message::Close(_) => 0,
        };
        assert!(length <= LIMIT);
    }
}

fn read(data: &[u8], at_once: usize) -> (Vec<Message>, Option<Violation>) {
    let (mut reader, mut messages) = (Reader::new(LIMIT), Vec::new());
    for chunk in data.chunks(at_once) {
        let mut next = reader.feed(chunk);
        loop {
            match next {
                Ok(Some(message)) => messages.push(message),
                Ok(None) => break,
                Err(violation) => return (messages, Some(violation)),
            }
            next = reader.next();
        }
    }
    (messages, None)
}
