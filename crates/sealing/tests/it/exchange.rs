//! Messages in both directions.

use std::time::Duration;

use assent_sealing::{Envelope, MAX_CONTENT_BYTES, Outgoing, Refusal, SealError, seal};

use crate::sides::{NOW, acquainted, agent, device, entropy, strangers};

#[test]
fn a_message_and_its_answer_are_read_by_the_other_side() {
    let (mut device, mut agent) = acquainted();
    let question = device.seal("q", b"what time is it?");
    assert_eq!(agent.open(&question), Ok(b"what time is it?".to_vec()));
    let answer = agent.seal("a", b"noon");
    assert_eq!(device.open(&answer), Ok(b"noon".to_vec()));
}

#[test]
fn sessions_go_on_after_a_restart_of_either_side() {
    let (mut device, mut agent) = acquainted();
    for round in 0..5 {
        let sent = device.seal(&format!("d{round}"), b"ping");
        device.restart();
        assert_eq!(agent.open(&sent), Ok(b"ping".to_vec()));
        agent.restart();
        let sent = agent.seal(&format!("a{round}"), b"pong");
        agent.restart();
        assert_eq!(device.open(&sent), Ok(b"pong".to_vec()));
        device.restart();
    }
}

#[test]
fn first_messages_repeat_the_wrapped_secret_until_there_is_an_answer() {
    let (mut device, mut agent) = acquainted();
    let first = [device.seal("1", b"one"), device.seal("2", b"two")];
    assert!(first.iter().all(|envelope| envelope.len() > 2000), "kind 3 carries the wrap");
    assert_eq!(agent.open(&first[1]), Ok(b"two".to_vec()));
    assert_eq!(agent.open(&first[0]), Ok(b"one".to_vec()));
    let answer = agent.seal("a", b"yes");
    assert_eq!(device.open(&answer), Ok(b"yes".to_vec()));
    let later = device.seal("3", b"three");
    assert!(later.len() < first[0].len() - 1000, "kind 2 does not");
    assert_eq!(agent.open(&later), Ok(b"three".to_vec()));
}

#[test]
fn both_sides_may_set_up_a_session_at_once() {
    let (mut device, mut agent) = strangers();
    device.claim(&mut agent, 0);
    agent.claim(&mut device, 0);
    let (crossing, other) = (device.seal("d", b"from device"), agent.seal("a", b"from agent"));
    assert_eq!(agent.open(&crossing), Ok(b"from device".to_vec()));
    assert_eq!(device.open(&other), Ok(b"from agent".to_vec()));
    for round in 0..4 {
        let sent = device.seal(&format!("d{round}"), b"on");
        assert_eq!(agent.open(&sent), Ok(b"on".to_vec()));
        let sent = agent.seal(&format!("a{round}"), b"and on");
        assert_eq!(device.open(&sent), Ok(b"and on".to_vec()));
    }
}

#[test]
fn a_session_is_sent_in_for_seven_days_and_read_from_for_fourteen() {
    let (mut device, mut agent) = acquainted();
    let early = device.seal("early", b"early");
    let late = device.seal("late", b"late");
    assert_eq!(agent.open(&early), Ok(b"early".to_vec()));
    let day = Duration::from_hours(24);
    device.now = NOW.after(7 * day - Duration::from_millis(1));
    assert!(device.peer.can_seal(device.now));
    device.now = NOW.after(7 * day);
    assert_eq!(device.try_seal("x", b"x"), Err(SealError::NoSession(agent.endpoint)));
    agent.now = NOW.after(14 * day - Duration::from_millis(1));
    agent.peer.forget_old_sessions(agent.now);
    assert_eq!(agent.open(&late), Ok(b"late".to_vec()));
    let gone = {
        device.now = NOW;
        device.seal("gone", b"gone")
    };
    agent.peer.forget_old_sessions(NOW.after(14 * day));
    // The one-time prekey went with the first message.
    assert_eq!(agent.open(&gone), Err(Refusal::PrekeyUsed));
}

#[test]
fn five_sessions_are_kept_with_a_peer() {
    let (mut device, mut agent) = strangers();
    let mut sent = Vec::new();
    for number in 0..6 {
        device.claim(&mut agent, number);
        sent.push(device.seal(&format!("first{number}"), b"first"));
        // Two in each session, so that the second one needs the session and not the prekey.
        sent.push(device.seal(&format!("second{number}"), b"second"));
    }
    for envelope in sent.iter().step_by(2) {
        assert_eq!(agent.open(envelope), Ok(b"first".to_vec()));
    }
    assert_eq!(agent.open(&sent[1]), Err(Refusal::PrekeyUsed), "the oldest session is gone");
    for envelope in sent.iter().skip(3).step_by(2) {
        assert_eq!(agent.open(envelope), Ok(b"second".to_vec()));
    }
}

#[test]
fn one_envelope_reaches_several_recipients() {
    let (mut one, mut first) = acquainted();
    let (mut two, mut second) = acquainted();
    second.endpoint = agent(9);
    two.peer = assent_sealing::Peer::new(
        agent(9),
        second.account.public_keys(),
        assent_sealing::Layers::Full,
    );
    let bundle = second.bundle(Some(0));
    two.peer.start_session(&one.account, one.endpoint, &bundle, NOW, &entropy()).unwrap();
    second.peer = assent_sealing::Peer::new(
        device(1),
        one.account.public_keys(),
        assent_sealing::Layers::Full,
    );
    let header = one.header("both");
    let message = Outgoing { header: &header, content: b"to both" };
    let peers = &mut [&mut one.peer, &mut two.peer];
    let sealed = seal(&one.account, peers, message, NOW, &entropy()).unwrap();
    let recipients: Vec<_> = Envelope::parse(sealed.clone()).unwrap().recipients().collect();
    assert_eq!(recipients, [agent(2), agent(9)]);
    assert_eq!(first.open(&sealed), Ok(b"to both".to_vec()));
    assert_eq!(second.open(&sealed), Ok(b"to both".to_vec()));
}

#[test]
fn a_message_that_cannot_be_sealed_changes_nothing() {
    let (mut device, _) = acquainted();
    let before = device.state();
    let too_long = vec![b' '; MAX_CONTENT_BYTES + 1];
    assert_eq!(device.try_seal("long", &too_long), Err(SealError::TooLarge));
    assert_eq!(device.try_seal(&"n".repeat(65), b"x"), Err(SealError::Name));
    let header = device.header("none");
    let message = Outgoing { header: &header, content: b"" };
    let nobody = seal(&device.account, &mut [], message, NOW, &entropy());
    assert_eq!(nobody, Err(SealError::Recipients));
    assert_eq!(device.state(), before);
    assert!(device.try_seal("fits", &vec![b' '; MAX_CONTENT_BYTES]).is_ok());
}

#[test]
fn the_length_of_an_envelope_shows_only_the_size_class() {
    let (mut device, mut agent) = acquainted();
    let hello = device.seal("h", b"hello");
    agent.open(&hello).unwrap();
    let answer = agent.seal("a", b"");
    device.open(&answer).unwrap();
    let lengths: Vec<usize> =
        [0, 1, 500, 1020].map(|length| device.seal("m", &vec![0; length]).len()).to_vec();
    assert!(lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}");
    assert_eq!(device.seal("m", &vec![0; 1021]).len(), lengths[0] + 1024);
}

#[test]
fn changed_keys_stop_both_directions() {
    let (mut device, mut agent) = acquainted();
    let sent = agent_answer(&mut device, &mut agent);
    device.peer.mark_changed();
    let before = device.state();
    assert_eq!(device.open(&sent), Err(Refusal::KeyChanged));
    assert_eq!(device.try_seal("x", b"x"), Err(SealError::KeysChanged(agent.endpoint)));
    assert_eq!(device.state(), before);
}

fn agent_answer(device: &mut crate::sides::Side, agent: &mut crate::sides::Side) -> Vec<u8> {
    let hello = device.seal("hello", b"hello");
    agent.open(&hello).unwrap();
    agent.seal("answer", b"answer")
}
