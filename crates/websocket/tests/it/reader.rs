//! Bytes and messages.

use assent_websocket::{CloseCode, Message, Reader, Violation};
use proptest::prelude::*;

use crate::client::{frame, text};

const LIMIT: usize = 100_000;

/// Every message in `bytes`, and what is wrong behind them, if they arrive `at_once` bytes at a time.
fn read(bytes: &[u8], at_once: usize) -> (Vec<Message>, Option<Violation>) {
    let (mut reader, mut messages) = (Reader::new(LIMIT), Vec::new());
    for chunk in bytes.chunks(at_once.max(1)) {
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

fn violation(bytes: &[u8]) -> Violation {
    let whole = read(bytes, usize::MAX).1;
    assert_eq!(whole, read(bytes, 1).1, "however it arrives");
    whole.expect("the protocol forbids it")
}

#[test]
fn the_examples_of_the_standard_are_read() {
    let hello = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];
    assert_eq!(read(&hello, 1), (vec![Message::Text("Hello".into())], None));
    let fragments = [frame(0x01, [9; 4], b"Hel"), frame(0x80, [8; 4], b"lo")].concat();
    assert_eq!(read(&fragments, 3), (vec![Message::Text("Hello".into())], None));
    let ping = frame(0x89, [7; 4], b"Hello");
    assert_eq!(read(&ping, 2), (vec![Message::Ping(b"Hello".to_vec())], None));
}

#[test]
fn a_ping_may_come_between_the_fragments_of_a_message() {
    let bytes =
        [frame(0x02, [1; 4], &[1]), frame(0x89, [2; 4], b"?"), frame(0x80, [3; 4], &[2])].concat();
    let expected = vec![Message::Ping(b"?".to_vec()), Message::Binary(vec![1, 2])];
    assert_eq!(read(&bytes, usize::MAX), (expected, None));
}

#[test]
fn what_the_protocol_forbids_is_refused() {
    assert_eq!(violation(&frame(0xc1, [0; 4], b"")), Violation::ReservedBit);
    assert_eq!(violation(&frame(0x83, [0; 4], b"")), Violation::UnknownOpcode(3));
    assert_eq!(violation(&[0x81, 0x00]), Violation::Unmasked);
    assert_eq!(violation(&frame(0x09, [0; 4], b"")), Violation::BadControl);
    assert_eq!(violation(&frame(0x89, [0; 4], &[0; 126])), Violation::BadControl);
    assert_eq!(violation(&frame(0x80, [0; 4], b"")), Violation::NothingToContinue);
    let two = [frame(0x01, [0; 4], b"a"), text("b")].concat();
    assert_eq!(violation(&two), Violation::UnfinishedMessage);
    assert_eq!(violation(&[0x81, 0xfe, 0, 125]), Violation::BadLength);
    assert_eq!(violation(&[0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff]), Violation::BadLength);
    assert_eq!(violation(&[0x82, 0xff, 0x80, 0, 0, 0, 0, 1, 0, 0]), Violation::BadLength);
    assert_eq!(violation(&frame(0x88, [0; 4], &[3])), Violation::BadClose);
    assert_eq!(violation(&frame(0x88, [0; 4], &1005_u16.to_be_bytes())), Violation::BadClose);
    assert_eq!(violation(&frame(0x88, [0; 4], &[3, 0xe8, 0xff])), Violation::NotUtf8);
}

#[test]
fn a_message_has_as_many_bytes_as_were_agreed_and_not_one_more() {
    let most = frame(0x82, [5; 4], &vec![1; LIMIT]);
    assert_eq!(read(&most, 4096), (vec![Message::Binary(vec![1; LIMIT])], None));
    let more = frame(0x82, [5; 4], &vec![1; LIMIT + 1]);
    assert_eq!(violation(&more[..14]), Violation::TooLarge { limit: LIMIT });
    let parts = [frame(0x02, [5; 4], &vec![1; LIMIT]), frame(0x80, [5; 4], &[1])].concat();
    assert_eq!(violation(&parts), Violation::TooLarge { limit: LIMIT });
}

#[test]
fn a_wrong_byte_of_a_text_is_refused_before_the_text_has_ended() {
    let bytes = frame(0x81, [0; 4], b"all is well until \xff and this never matters");
    assert_eq!(read(&bytes[..6 + 19], 1).1, Some(Violation::NotUtf8));
    let fragment = frame(0x01, [0; 4], b"\xe4\xbd");
    assert_eq!(read(&fragment, 1), (vec![], None), "half of a character may go on");
    let ended = [fragment, frame(0x80, [0; 4], b"")].concat();
    assert_eq!(violation(&ended), Violation::NotUtf8);
}

#[test]
fn nothing_is_read_behind_a_close() {
    let bytes = [frame(0x88, [0; 4], &1000_u16.to_be_bytes()), vec![0xff; 20]].concat();
    let expected = vec![Message::Close(Some(CloseCode::NORMAL))];
    assert_eq!(read(&bytes, usize::MAX), (expected.clone(), None));
    assert_eq!(read(&bytes, 1), (expected, None));
}

/// A message as a client may send it: in fragments, with other frames in between.
fn sent() -> impl Strategy<Value = (Message, Vec<u8>)> {
    let masks = proptest::collection::vec(any::<[u8; 4]>(), 1..5);
    let payload = prop_oneof![
        ".{0,40}".prop_map(|text| (true, text.into_bytes())),
        proptest::collection::vec(any::<u8>(), 0..300).prop_map(|bytes| (false, bytes)),
    ];
    (payload, masks).prop_map(|((is_text, payload), masks)| {
        let size = payload.len().div_ceil(masks.len()).max(1);
        let mut parts: Vec<&[u8]> = payload.chunks(size).collect();
        if parts.is_empty() {
            parts.push(&[]);
        }
        let last = parts.len() - 1;
        let mut bytes = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let opcode = if at > 0 { 0 } else { 2 - u8::from(is_text) };
            let first = if at == last { 0x80 | opcode } else { opcode };
            bytes.extend(frame(first, masks[at % masks.len()], part));
        }
        let message = if is_text {
            Message::Text(String::from_utf8(payload).unwrap())
        } else {
            Message::Binary(payload)
        };
        (message, bytes)
    })
}

proptest! {
    #[test]
    fn what_is_sent_is_what_is_read_however_it_arrives(
        sent in proptest::collection::vec(sent(), 0..6),
        at_once in 1_usize..400,
    ) {
        let bytes: Vec<u8> = sent.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
        let messages: Vec<Message> = sent.into_iter().map(|(message, _)| message).collect();
        prop_assert_eq!(read(&bytes, at_once), (messages, None));
    }

    #[test]
    fn any_bytes_mean_the_same_however_they_arrive(
        sent in sent(),
        noise in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        at_once in 1_usize..40,
    ) {
        let mut bytes = sent.1;
        for (at, byte) in noise {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        prop_assert_eq!(read(&bytes, at_once), read(&bytes, usize::MAX));
    }
}
