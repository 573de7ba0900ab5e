//! Peers that keep no state.

use assent_sealing::{Layers, Peer, Refusal};

use crate::sides::{Side, agent, device, strangers};

fn stateless() -> (Side, Side) {
    let (mut one, mut other) = strangers();
    let layers =
        |side: &Side| Layers::Stateless { kem_key: side.account.prekeys().kem_prekey.public_key };
    let (of_one, of_other) = (layers(&one), layers(&other));
    one.peer = Peer::new(agent(2), other.account.public_keys(), of_other);
    other.peer = Peer::new(device(1), one.account.public_keys(), of_one);
    (one, other)
}

#[test]
fn messages_go_both_ways_and_leave_no_state() {
    let (mut device, mut agent) = stateless();
    let before = (device.state(), agent.state());
    for round in 0..3 {
        let sent = device.seal(&format!("d{round}"), b"ping");
        assert_eq!(agent.open(&sent), Ok(b"ping".to_vec()));
        let sent = agent.seal(&format!("a{round}"), b"pong");
        assert_eq!(device.open(&sent), Ok(b"pong".to_vec()));
    }
    assert_eq!((device.state(), agent.state()), before);
}

#[test]
fn only_its_name_stops_a_repeated_message() {
    let (mut device, mut agent) = stateless();
    let sent = device.seal("m", b"ping");
    assert_eq!(agent.open(&sent), Ok(b"ping".to_vec()));
    assert_eq!(agent.open(&sent), Ok(b"ping".to_vec()));
    assert_eq!(agent.open_replayed(&sent), Err(Refusal::Replay));
}

#[test]
fn a_block_for_one_recipient_is_useless_to_another() {
    let (mut device_side, mut agent_side) = stateless();
    let sent = device_side.seal("m", b"ping");
    // The same keys under another id: the wrap is bound to the recipient's id.
    let mut moved = sent;
    let recipient = moved.windows(17).rposition(|bytes| bytes[0] == 2 && bytes[16] == 2).unwrap();
    moved[recipient + 16] = 8;
    agent_side.endpoint = agent(8);
    assert_eq!(agent_side.open(&moved), Err(Refusal::BadSignature));
}
