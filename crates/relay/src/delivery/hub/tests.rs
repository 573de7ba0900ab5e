//! Every connection gets every event once and in order, whether or not it keeps up.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use assent_ids::{EventSeq, Principal, UserId};
use tokio::time::timeout;

use super::{
    Closing, Connected, Hub, Way,
    mailbox::{MAX_BYTES, MAX_EVENTS},
};
use crate::delivery::outbox::Sent;

const ALICE: &str = "usr_01J00000000000000000000000";

fn alice() -> Principal {
    Principal::User(ALICE.parse::<UserId>().unwrap())
}

fn connect(hub: &Arc<Hub>) -> Connected {
    hub.connect(alice(), Way::Socket, usize::MAX).unwrap()
}

fn sent(number: u64, bytes: usize) -> Sent {
    let data = "x".repeat(bytes).into();
    Sent { party: alice(), event_id: EventSeq(number), kind: "message.new", data }
}

#[test]
fn every_connection_of_a_person_gets_an_event() {
    let hub = Arc::new(Hub::default());
    let (phone, desk) = (connect(&hub), connect(&hub));
    hub.deliver(&[sent(1, 10)]);
    assert_eq!(phone.take().events.len(), 1);
    assert_eq!(desk.take().events.len(), 1);
    assert!(phone.take().events.is_empty());
    drop(phone);
    assert_eq!(hub.connections(Way::Socket), 1);
    drop(desk);
    assert_eq!(hub.connections(Way::Socket), 0);
}

#[test]
fn sockets_and_long_polls_have_separate_limits() {
    let hub = Arc::new(Hub::default());
    let wait = |way: Way| hub.connect(alice(), way, 2);
    let sockets = [wait(Way::Socket), wait(Way::Socket)];
    assert!(sockets.iter().all(Option::is_some));
    assert!(wait(Way::Socket).is_none());
    let poll = wait(Way::LongPoll);
    assert_eq!((hub.connections(Way::Socket), hub.connections(Way::LongPoll)), (2, 1));
    drop(poll);
    assert_eq!((hub.connections(Way::Socket), hub.connections(Way::LongPoll)), (2, 0));
    drop(sockets);
    assert!(wait(Way::Socket).is_some());
}

#[test]
fn a_full_mailbox_sends_its_owner_to_the_store() {
    for (count, bytes) in [(MAX_EVENTS + 1, 10), (2, MAX_BYTES / 2 + 1)] {
        let hub = Arc::new(Hub::default());
        let slow = connect(&hub);
        for number in 1..=count {
            hub.deliver(&[sent(u64::try_from(number).unwrap(), bytes)]);
        }
        let arrived = slow.take();
        assert!(arrived.is_behind && arrived.events.is_empty(), "{count} × {bytes}");
        hub.deliver(&[sent(99, 1)]);
        assert_eq!(slow.take().events.len(), 1);
    }
}

#[test]
fn a_reason_to_close_does_not_hide_another_one() {
    let hub = Arc::new(Hub::default());
    let phone = connect(&hub);
    let [first, second] = ["fam_01J00000000000000000000000", "fam_01J00000000000000000000001"]
        .map(|id| id.parse().unwrap());
    hub.close(alice(), &Closing::LoginEnded(first));
    hub.close(alice(), &Closing::LoginEnded(second));
    let closing = phone.take().closing;
    assert_eq!(closing, [Closing::LoginEnded(first), Closing::LoginEnded(second)]);
    assert!(phone.take().closing.is_empty());
}

#[test]
fn events_are_sent_up_to_the_first_gap_and_repeated_ones_are_skipped() {
    let hub = Arc::new(Hub::default());
    let phone = connect(&hub);
    hub.deliver(&[sent(3, 9), sent(5, 9), sent(5, 9), sent(6, 9), sent(8, 9)]);
    let mut arrived = phone.take();
    let mut cursor = EventSeq(4);
    assert_eq!(arrived.take_next(&mut cursor).len(), 2);
    assert_eq!((cursor, arrived.is_behind), (EventSeq(6), true));
}

/// Waits for events as the task of a socket does, and returns their numbers in the order in which they would be
/// sent. `stored` is the number of the last event in the store.
async fn own(connected: Connected, stored: Arc<AtomicU64>, count: u64) -> Vec<u64> {
    let (mut cursor, mut numbers) = (EventSeq(0), Vec::new());
    while cursor.0 < count {
        connected.arrived().await;
        let mut arrived = connected.take();
        let before = cursor.0;
        let frames = arrived.take_next(&mut cursor);
        assert_eq!(u64::try_from(frames.len()).unwrap(), cursor.0 - before);
        if arrived.is_behind {
            cursor = EventSeq(stored.load(Ordering::SeqCst).max(cursor.0));
        }
        numbers.extend(before + 1..=cursor.0);
        tokio::task::yield_now().await;
    }
    numbers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn however_events_are_brought_each_is_sent_once_and_no_wake_up_is_lost() {
    const COUNT: u64 = 5_000;
    let hub = Arc::new(Hub::default());
    let stored = Arc::new(AtomicU64::new(0));
    let owner = tokio::spawn(own(connect(&hub), Arc::clone(&stored), COUNT));
    for number in 1..=COUNT {
        stored.fetch_max(number, Ordering::SeqCst);
        // Every seventh event arrives after its successor, and some only as a wake-up of another node.
        match number % 7 {
            0 if number < COUNT => {}
            1 if number > 1 => hub.deliver(&[sent(number, 9), sent(number - 1, 9)]),
            3 => hub.wake(alice()),
            _ => hub.deliver(&[sent(number, 9)]),
        }
        if number % 50 == 0 {
            tokio::task::yield_now().await;
        }
    }
    let numbers = timeout(Duration::from_secs(60), owner).await.unwrap().unwrap();
    assert_eq!(numbers, (1..=COUNT).collect::<Vec<_>>());
}
