//! Every reason for which an envelope is refused, and that refusing leaves no trace.

use assent_ids::UnixMillis;
use assent_protocol::a2h::{ContentType, MsgSubtype};
use assent_sealing::{
    Account, Envelope, Layers, OpenContext, Outgoing, Peer, Refusal, Routing, open, seal,
};

use crate::sides::{NOW, Side, acquainted, agent, conversation, device, entropy, strangers};

/// Expects a refusal that changes nothing.
fn refused(
    side: &mut Side,
    expected: Refusal,
    attempt: impl FnOnce(&mut Side) -> Result<Vec<u8>, Refusal>,
) {
    let before = side.state();
    assert_eq!(attempt(side), Err(expected));
    assert_eq!(side.state(), before, "{expected:?} changed something");
}

#[test]
fn codes_are_those_of_the_documentation() {
    let codes = Refusal::ALL.map(Refusal::code);
    let documented = [
        "malformed",
        "routing_mismatch",
        "unknown_sender",
        "key_changed",
        "bad_signature",
        "not_for_me",
        "layer_downgrade",
        "replay",
        "no_session",
        "prekey_used",
        "gap_too_large",
        "cannot_open",
    ];
    assert_eq!(codes, documented);
    let repaired: Vec<_> = Refusal::ALL.into_iter().filter(|it| it.needs_new_session()).collect();
    assert_eq!(repaired, Refusal::ALL[8..]);
}

#[test]
fn what_the_relay_announces_must_be_what_the_envelope_says() {
    let (mut device, mut agent_side) = acquainted();
    let sent = device.seal("m", b"hello");
    let lies: [fn(&mut Routing); 5] = [
        |routing| routing.conversation = conversation(4),
        |routing| routing.client_message_id = "other".parse().unwrap(),
        |routing| routing.subtype = MsgSubtype::System,
        |routing| routing.content_type = ContentType::File,
        |routing| routing.senders = vec![agent(2)],
    ];
    for lie in lies {
        refused(&mut agent_side, Refusal::RoutingMismatch, |side| {
            side.open_with(&sent, lie, false)
        });
    }
    assert_eq!(agent_side.open(&sent), Ok(b"hello".to_vec()));
}

#[test]
fn a_sender_without_a_record_is_unknown() {
    let (mut device_side, mut agent_side) = acquainted();
    let sent = Envelope::parse(device_side.seal("m", b"hello")).unwrap();
    let routing = Routing {
        conversation: conversation(3),
        client_message_id: "m".parse().unwrap(),
        subtype: MsgSubtype::Text,
        content_type: ContentType::Text,
        senders: vec![device(1)],
    };
    let context = OpenContext { me: agent(2), routing: &routing, is_replay: false, now: NOW };
    let opened = open(&sent, &mut agent_side.account, None, context);
    assert_eq!(opened.unwrap_err(), Refusal::UnknownSender);
    agent_side.peer = Peer::new(device(7), *agent_side.peer.keys(), Layers::Full);
    let opened = open(&sent, &mut agent_side.account, Some(&mut agent_side.peer), context);
    assert_eq!(opened.unwrap_err(), Refusal::UnknownSender, "the record of another device");
}

#[test]
fn a_message_signed_by_other_keys_is_refused() {
    let (device_side, mut agent_side) = acquainted();
    let (mut impostor, mut unused) = strangers();
    impostor.claim(&mut unused, 0);
    let bundle = agent_side.bundle(Some(0));
    // The impostor has the agent's prekeys, but not the device's keys.
    impostor.peer = Peer::new(agent(2), agent_side.account.public_keys(), Layers::Full);
    impostor
        .peer
        .start_session(&impostor.account, device_side.endpoint, &bundle, NOW, &entropy())
        .unwrap();
    let forged = impostor.seal("m", b"trust me");
    refused(&mut agent_side, Refusal::BadSignature, |side| side.open(&forged));
}

#[test]
fn a_message_to_others_is_not_for_me() {
    let (mut device_side, mut agent_side) = acquainted();
    let sent = device_side.seal("m", b"hello");
    agent_side.endpoint = agent(5);
    refused(&mut agent_side, Refusal::NotForMe, |side| side.open(&sent));
}

#[test]
fn a_peer_with_sessions_may_not_fall_back_to_none() {
    let (mut device_side, mut agent_side) = acquainted();
    let kem_key = agent_side.account.prekeys().kem_prekey.public_key;
    let keys = agent_side.account.public_keys();
    let mut stateless = Peer::new(agent(2), keys, Layers::Stateless { kem_key });
    let header = device_side.header("m");
    let message = Outgoing { header: &header, content: b"hello" };
    let sent = seal(&device_side.account, &mut [&mut stateless], message, NOW, &entropy()).unwrap();
    refused(&mut agent_side, Refusal::LayerDowngrade, |side| side.open(&sent));
    // Nor may a stateless one begin a session.
    let sent = device_side.seal("m2", b"hello");
    let kem_key = device_side.account.prekeys().kem_prekey.public_key;
    let keys = device_side.account.public_keys();
    agent_side.peer = Peer::new(device(1), keys, Layers::Stateless { kem_key });
    refused(&mut agent_side, Refusal::LayerDowngrade, |side| side.open(&sent));
}

#[test]
fn a_message_is_opened_once() {
    let (mut device_side, mut agent_side) = acquainted();
    let first = device_side.seal("m", b"hello");
    agent_side.open(&first).unwrap();
    refused(&mut agent_side, Refusal::Replay, |side| side.open(&first));
    refused(&mut agent_side, Refusal::Replay, |side| side.open_replayed(&first));
    let answer = agent_side.seal("a", b"hello");
    device_side.open(&answer).unwrap();
    refused(&mut device_side, Refusal::Replay, |side| side.open(&answer));
}

#[test]
fn the_name_of_a_first_message_stops_it_when_its_session_is_gone() {
    let (mut device_side, mut agent_side) = strangers();
    let bundle = agent_side.bundle(None);
    let (account, endpoint) = (&device_side.account, device_side.endpoint);
    device_side.peer.start_session(account, endpoint, &bundle, NOW, &entropy()).unwrap();
    let first = device_side.seal("m", b"hello");
    agent_side.open(&first).unwrap();
    agent_side.peer.forget_sessions();
    // Olm itself would open it: the signed prekey is still there.
    refused(&mut agent_side, Refusal::Replay, |side| side.open_replayed(&first));
    assert_eq!(agent_side.open(&first), Ok(b"hello".to_vec()));
}

#[test]
fn a_message_of_an_unknown_session_is_refused() {
    let (mut device_side, mut agent_side) = acquainted();
    let first = device_side.seal("m", b"hello");
    agent_side.open(&first).unwrap();
    let answer = agent_side.seal("a", b"hello");
    device_side.peer.forget_sessions();
    refused(&mut device_side, Refusal::NoSession, |side| side.open(&answer));
}

#[test]
fn prekeys_that_are_gone_are_refused() {
    let (mut device_side, mut agent_side) = acquainted();
    let one = device_side.seal("m", b"hello");
    let two = device_side.seal("m2", b"hello");
    agent_side.open(&one).unwrap();
    agent_side.peer.forget_sessions();
    refused(&mut agent_side, Refusal::PrekeyUsed, |side| side.open(&two));
    // And so is a KEM key that was replaced twice.
    let (mut device_side, mut agent_side) = acquainted();
    let one = device_side.seal("m", b"hello");
    let week = std::time::Duration::from_hours(7 * 24);
    assert!(agent_side.account.rotate_prekeys(NOW.after(week), &entropy()));
    let mut later = Account::from_json(&agent_side.state().0).unwrap();
    assert!(later.rotate_prekeys(NOW.after(2 * week), &entropy()));
    std::mem::swap(&mut agent_side.account, &mut later);
    refused(&mut agent_side, Refusal::PrekeyUsed, |side| side.open(&one));
    std::mem::swap(&mut agent_side.account, &mut later);
    assert_eq!(agent_side.open(&one), Ok(b"hello".to_vec()), "replaced once is still there");
}

#[test]
fn gaps_up_to_two_thousand_messages_are_bridged() {
    for (skipped, expected) in [(2000, Ok(b"last".to_vec())), (2001, Err(Refusal::GapTooLarge))] {
        let (mut device_side, mut agent_side) = acquainted();
        let first = device_side.seal("first", b"first");
        agent_side.open(&first).unwrap();
        for number in 0..skipped {
            device_side.seal(&format!("m{number}"), b"lost");
        }
        let last = device_side.seal("last", b"last");
        let before = agent_side.state();
        let opened = agent_side.open(&last);
        assert_eq!(opened, expected, "{skipped} skipped");
        assert_eq!(agent_side.state() == before, opened.is_err());
    }
}

#[test]
fn forty_skipped_messages_of_a_chain_can_still_be_read() {
    let (mut device_side, mut agent_side) = acquainted();
    let sent: Vec<_> =
        (0..43).map(|number| device_side.seal(&format!("m{number}"), b"text")).collect();
    agent_side.open(&sent[0]).unwrap();
    agent_side.open(&sent[42]).unwrap();
    // Of 41 that were skipped, the oldest key is gone.
    refused(&mut agent_side, Refusal::Replay, |side| side.open(&sent[1]));
    for envelope in &sent[2..42] {
        assert_eq!(agent_side.open(envelope), Ok(b"text".to_vec()));
    }
}

#[test]
fn a_reset_is_due_once_a_minute() {
    let (mut device_side, _) = acquainted();
    let at = |seconds: u64| UnixMillis::new(NOW.get() + seconds * 1000);
    let due: Vec<bool> =
        [0, 1, 59, 60, 61, 119, 120].map(|s| device_side.peer.may_reset(at(s))).to_vec();
    assert_eq!(due, [true, false, false, true, false, false, true]);
}
