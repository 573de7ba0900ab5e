//! Messages that arrive late, twice, out of order or never.

use std::collections::{BTreeMap, BTreeSet};

use assent_sealing::{BundleError, Envelope, Layers, Peer, Refusal, SealError};
use proptest::prelude::*;
use serde_json::Value;

use crate::sides::{NOW, Side, agent, device, entropy, strangers};

/// Schedules by name; see `tests/data/README.md`.
const SCHEDULES: &str = include_str!("../data/ratchet-schedules.json");

/// The two sides of a schedule and everything that was sent.
struct Run {
    sides: [Side; 2],
    sent: BTreeMap<(usize, u64), Vec<u8>>,
    opened: BTreeSet<(usize, u64)>,
    claimed: usize,
}

impl Run {
    fn new() -> Self {
        let (a, b) = strangers();
        Self { sides: [a, b], sent: BTreeMap::new(), opened: BTreeSet::new(), claimed: 0 }
    }

    fn claim(&mut self, from: usize) {
        let bundle = self.sides[1 - from].bundle(Some(self.claimed));
        self.claimed += 1;
        let side = &mut self.sides[from];
        let (account, endpoint) = (&side.account, side.endpoint);
        side.peer.start_session(account, endpoint, &bundle, NOW, &entropy()).unwrap();
    }

    fn send(&mut self, from: usize, number: u64) {
        if !self.sides[from].peer.can_seal(NOW) {
            self.claim(from);
        }
        let text = format!("{from}:{number}");
        let sealed = self.sides[from].seal(&text, text.as_bytes());
        self.sent.insert((from, number), sealed);
    }

    /// Delivers a message, and checks that it opens to what was sent or leaves no trace.
    fn deliver(&mut self, from: usize, number: u64) -> Result<(), Refusal> {
        let to = 1 - from;
        let before = self.sides[to].state();
        let opened = self.sides[to].open(&self.sent[&(from, number)]);
        match &opened {
            Ok(content) => {
                assert_eq!(*content, format!("{from}:{number}").into_bytes());
                assert!(self.opened.insert((from, number)), "{from}:{number} opened twice");
            }
            Err(_) => assert_eq!(self.sides[to].state(), before, "a refusal left a trace"),
        }
        opened.map(drop)
    }

    /// Delivers a message that opens exactly if it is new.
    fn deliver_once(&mut self, from: usize, number: u64) {
        let expected =
            if self.opened.contains(&(from, number)) { Err(Refusal::Replay) } else { Ok(()) };
        assert_eq!(self.deliver(from, number), expected, "{from}:{number}");
    }
}

fn side(name: &Value) -> usize {
    match name.as_str() {
        Some("A") => 0,
        Some("B") => 1,
        other => panic!("no side {other:?}"),
    }
}

/// Runs a schedule that only sends, receives and repeats.
fn run_plain(name: &str, events: &[Value]) {
    let mut run = Run::new();
    for event in events {
        let event = event.as_array().unwrap();
        let kind = event[0].as_str().unwrap();
        match kind {
            "init" => run.claim(side(&event[1])),
            "send" => run.send(side(&event[1]), event[2].as_u64().unwrap()),
            "recv" => {
                let (to, number) = (side(&event[1]), event[2].as_u64().unwrap());
                if run.sent.contains_key(&(1 - to, number)) {
                    run.deliver_once(1 - to, number);
                }
            }
            "replay" => {
                let (from, number) = (side(&event[2][0]), event[2][1].as_u64().unwrap());
                assert_eq!(run.deliver(from, number), Err(Refusal::Replay));
            }
            _ => panic!("{name}: unknown event {kind}"),
        }
    }
}

#[test]
fn all_schedules_hold() {
    let schedules: Value = serde_json::from_str(SCHEDULES).unwrap();
    let schedules = schedules["schedules"].as_array().unwrap();
    for schedule in schedules {
        let name = schedule["name"].as_str().unwrap();
        let events = schedule["events"].as_array().unwrap();
        match name {
            "old-key-evicted" => old_keys_are_evicted(events),
            "gap-over-limit" => a_huge_gap_is_refused_and_leaves_the_session_usable(),
            "simultaneous-init" => both_converge(events),
            "bitflip-each-byte" => {} // `flipped_bytes.rs`
            "header-swap" => a_swapped_header_is_refused(),
            "cross-session" => a_message_of_another_session_is_refused(),
            "reflect-to-sender" => a_reflected_message_is_refused(),
            "plaintext-fallback" => without_keys_nothing_is_sent(),
            "version-downgrade" => fewer_layers_are_refused(),
            "prekey-exhaustion" => the_signed_prekey_serves_when_all_others_are_gone(),
            "clone-state-rollback" => a_restored_copy_is_stopped_by_names(),
            _ if name == "identity-key-all-zero" || name.starts_with("low-order") => {
                low_order_keys_are_refused(events[0][2].as_str().unwrap());
            }
            _ => run_plain(name, events),
        }
    }
    assert_eq!(schedules.len(), 62);
}

fn old_keys_are_evicted(events: &[Value]) {
    let mut run = Run::new();
    let mut opened = 0;
    for event in events {
        let (kind, number) = (event[0].as_str().unwrap(), event[2].as_u64().unwrap());
        if kind == "send" {
            run.send(side(&event[1]), number);
        } else if run.deliver(1 - side(&event[1]), number).is_ok() {
            opened += 1;
        }
    }
    assert!(opened >= 41, "the last one and 40 before it: {opened}");
}

fn a_huge_gap_is_refused_and_leaves_the_session_usable() {
    let mut run = Run::new();
    (0..2003).for_each(|number| run.send(0, number));
    assert_eq!(run.deliver(0, 0), Ok(()));
    assert_eq!(run.deliver(0, 2002), Err(Refusal::GapTooLarge));
    assert_eq!(run.deliver(0, 1), Ok(()));
}

fn both_converge(events: &[Value]) {
    run_plain("simultaneous-init", events);
    let mut run = Run::new();
    (0..2).for_each(|from| run.claim(from));
    for number in 0..6 {
        for from in [0, 1] {
            run.send(from, number);
            run.deliver_once(from, number);
        }
    }
    let last: Vec<usize> = [0, 1].map(|from| run.sent[&(from, 5)].len()).to_vec();
    assert!(last.iter().all(|length| *length < 1500), "no wrapped secret is sent any more");
}

fn a_swapped_header_is_refused() {
    let mut run = Run::new();
    (0..2).for_each(|number| run.send(0, number));
    let (one, other) = (&run.sent[&(0, 0)], &run.sent[&(0, 1)]);
    // The header: 8 + 1 + 16 + 17 + 1 + 3 + 1 + 1 + 8 + 4 bytes.
    let swapped = [&other[..60], &one[60..]].concat();
    let to = &mut run.sides[1];
    assert_eq!(to.open(&swapped), Err(Refusal::BadSignature));
}

fn a_message_of_another_session_is_refused() {
    let mut run = Run::new();
    run.send(0, 0);
    let mut other = Run::new();
    assert_eq!(other.sides[1].open(&run.sent[&(0, 0)]), Err(Refusal::BadSignature));
    // The same with the sender's keys pinned: the session belongs to another account.
    let keys = run.sides[0].account.public_keys();
    other.sides[1].peer = Peer::new(device(1), keys, Layers::Full);
    assert_eq!(other.sides[1].open(&run.sent[&(0, 0)]), Err(Refusal::PrekeyUsed));
}

fn a_reflected_message_is_refused() {
    let mut run = Run::new();
    run.send(0, 0);
    let sent = run.sent[&(0, 0)].clone();
    assert_eq!(run.sides[0].open(&sent), Err(Refusal::RoutingMismatch));
    let reflected =
        run.sides[0].open_with(&sent, |routing| routing.senders = vec![device(1)], false);
    assert_eq!(reflected, Err(Refusal::UnknownSender));
}

fn low_order_keys_are_refused(key: &str) {
    let bytes = (0..32).map(|at| u8::from_str_radix(&key[2 * at..2 * at + 2], 16).unwrap());
    let public_key: [u8; 32] = bytes.collect::<Vec<u8>>().try_into().unwrap();
    let mut run = Run::new();
    let mut bundle = run.sides[1].bundle(Some(0));
    bundle.one_time_prekey.as_mut().unwrap().public_key = public_key;
    let from = &mut run.sides[0];
    let started = from.peer.start_session(&from.account, from.endpoint, &bundle, NOW, &entropy());
    assert_eq!(started, Err(BundleError::BadKey));
}

fn without_keys_nothing_is_sent() {
    let mut run = Run::new();
    assert_eq!(run.sides[0].try_seal("m", b"x"), Err(SealError::NoSession(agent(2))));
}

fn fewer_layers_are_refused() {
    let mut run = Run::new();
    run.sides[0].peer.mark_changed();
    assert_eq!(run.sides[0].try_seal("m", b"x"), Err(SealError::KeysChanged(agent(2))));
}

fn the_signed_prekey_serves_when_all_others_are_gone() {
    let mut run = Run::new();
    let bundle = run.sides[1].bundle(None);
    let from = &mut run.sides[0];
    from.peer.start_session(&from.account, from.endpoint, &bundle, NOW, &entropy()).unwrap();
    run.send(0, 0);
    run.deliver_once(0, 0);
    run.deliver_once(0, 0);
    let day = std::time::Duration::from_hours(24);
    assert!(run.sides[1].account.rotate_prekeys(NOW.after(day), &entropy()), "it is replaced");
}

fn a_restored_copy_is_stopped_by_names() {
    let mut run = Run::new();
    run.send(0, 0);
    let (account, peer) = run.sides[1].state();
    run.deliver_once(0, 0);
    run.sides[1].account = assent_sealing::Account::from_json(&account).unwrap();
    run.sides[1].peer = Peer::from_json(&peer).unwrap();
    assert_eq!(run.sides[1].open_replayed(&run.sent[&(0, 0)]), Err(Refusal::Replay));
}

/// One step of a random schedule.
#[derive(Clone, Debug)]
enum Step {
    Send(usize),
    /// Delivers one of the messages that were sent so far, also again.
    Deliver(prop::sample::Index),
    Restart(usize),
    Claim(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..2_usize).prop_map(Step::Send),
        5 => any::<prop::sample::Index>().prop_map(Step::Deliver),
        1 => (0..2_usize).prop_map(Step::Restart),
        1 => (0..2_usize).prop_map(Step::Claim),
    ];
    prop::collection::vec(step, 1..40)
}

proptest! {
    // `PROPTEST_CASES` asks for more.
    #[test]
    fn any_schedule_opens_each_message_once_and_correctly(steps in steps()) {
        let mut run = Run::new();
        let mut numbers = [0; 2];
        let mut claims = [0; 2];
        for step in steps {
            match step {
                Step::Send(from) => {
                    run.send(from, numbers[from]);
                    numbers[from] += 1;
                }
                Step::Deliver(which) if !run.sent.is_empty() => {
                    let keys: Vec<_> = run.sent.keys().copied().collect();
                    let (from, number) = *which.get(&keys);
                    run.deliver_once(from, number);
                }
                Step::Deliver(_) => {}
                Step::Restart(side) => run.sides[side].restart(),
                // Five sessions are kept: more would make old messages unreadable.
                Step::Claim(from) if claims[from] < 1 => {
                    claims[from] += 1;
                    run.claim(from);
                }
                Step::Claim(_) => {}
            }
        }
        for sealed in run.sent.values() {
            prop_assert!(Envelope::parse(sealed.clone()).is_ok());
        }
    }
}
