//! Every byte of an envelope counts.

use crate::sides::{Side, acquainted};

/// Flips one bit of every byte, and expects every one to be refused without a trace.
fn check_every_byte(sent: &[u8], recipient: &mut Side) {
    let before = recipient.state();
    for at in 0..sent.len() {
        let mut flipped = sent.to_vec();
        flipped[at] ^= 1 << (at % 8);
        assert!(recipient.open(&flipped).is_err(), "byte {at} does not count");
    }
    assert_eq!(recipient.state(), before, "a refused envelope changed something");
    for length in 0..sent.len() {
        assert!(recipient.open(&sent[..length]).is_err(), "{length} bytes are enough");
    }
    let mut longer = sent.to_vec();
    longer.push(0);
    assert!(recipient.open(&longer).is_err(), "a byte more");
    assert_eq!(recipient.state(), before);
    assert!(recipient.open(sent).is_ok(), "unchanged it opens");
}

#[test]
fn every_byte_of_a_first_message_counts() {
    let (mut device, mut agent) = acquainted();
    let sent = device.seal("m", b"hello");
    check_every_byte(&sent, &mut agent);
}

#[test]
fn every_byte_of_a_message_in_a_session_counts() {
    let (mut device, mut agent) = acquainted();
    let hello = device.seal("m", b"hello");
    agent.open(&hello).unwrap();
    let sent = agent.seal("a", b"hello");
    check_every_byte(&sent, &mut device);
}
