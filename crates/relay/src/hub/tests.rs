//! Everybody gets every event, once and in order, whether or not somebody keeps up.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use assent_ids::{EventSeq, UserId};
use assent_websocket::{Frame, send_all};
use futures_util::StreamExt as _;
use tokio::{
    io::AsyncWriteExt as _,
    net::{TcpListener, TcpSocket, TcpStream},
    sync::oneshot,
    time::timeout,
};
use tokio_tungstenite::{WebSocketStream, tungstenite::protocol::Role};

use super::{
    Closing, Connected, Hub, Pen, Way,
    mailbox::{MAILBOX_BYTES, MAILBOX_EVENTS},
};
use crate::{events, outbox::Sent, party::Party};

const ALICE: &str = "usr_01J00000000000000000000000";

fn alice() -> Party {
    Party::User(ALICE.parse::<UserId>().unwrap())
}

fn connect(hub: &Arc<Hub>) -> Connected {
    hub.connect(alice(), Way::Socket, usize::MAX).unwrap()
}

fn sent(number: u64, bytes: usize) -> Sent {
    let data = "x".repeat(bytes).into();
    Sent { party: alice(), event_id: EventSeq(number), kind: "message.new", data }
}

#[tokio::test]
async fn every_connection_of_a_person_gets_an_event() {
    let hub = Arc::new(Hub::default());
    let (phone, desk) = (connect(&hub), connect(&hub));
    hub.deliver(&[sent(1, 10)]).await;
    assert_eq!(phone.take().events.len(), 1);
    assert_eq!(desk.take().events.len(), 1);
    assert!(phone.take().events.is_empty());
    drop(phone);
    assert_eq!(hub.connections(Way::Socket), 1);
    drop(desk);
    assert_eq!(hub.connections(Way::Socket), 0);
}

#[test]
fn each_way_to_wait_has_room_of_its_own() {
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

#[tokio::test]
async fn a_mailbox_that_is_full_says_that_the_store_knows_more() {
    for (count, bytes) in [(MAILBOX_EVENTS + 1, 10), (2, MAILBOX_BYTES / 2 + 1)] {
        let hub = Arc::new(Hub::default());
        let slow = connect(&hub);
        for number in 1..=count {
            hub.deliver(&[sent(u64::try_from(number).unwrap(), bytes)]).await;
        }
        let arrived = slow.take();
        assert!(arrived.look && arrived.events.is_empty(), "{count} × {bytes}");
        hub.deliver(&[sent(99, 1)]).await;
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

/// A connection whose kernel holds little, and its other end.
async fn narrow_connection() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_send_buffer_size(8 * 1024).unwrap();
    let (ours, theirs) =
        tokio::join!(socket.connect(listener.local_addr().unwrap()), listener.accept());
    (ours.unwrap(), theirs.unwrap().0)
}

/// The owner of a connection, as sockets are: it writes what it finds, and otherwise lets others write. Gives how
/// much others wrote.
async fn own(connected: Connected, stored: Arc<AtomicU64>, (count, bytes): (u64, usize)) -> u64 {
    let (mut cursor, mut by_others) = (0, 0);
    loop {
        let _ = timeout(Duration::from_millis(2), connected.arrived()).await;
        let Pen { mut writer, cursor: written, rest } = connected.take_pen().unwrap();
        by_others += written.0 - cursor;
        cursor = written.0;
        writer.write_all(&rest).await.unwrap();
        let arrived = connected.take();
        if arrived.look || arrived.events.iter().any(|one| one.event_id.0 > cursor) {
            for number in cursor + 1..=stored.load(Ordering::SeqCst) {
                send_all(&mut writer, &[framed(number, bytes)]).await.unwrap();
                cursor = number;
            }
        }
        if cursor == count {
            return by_others;
        }
        connected.lend(Pen::new(writer, EventSeq(cursor)));
    }
}

fn framed(number: u64, bytes: usize) -> Frame {
    let sent = sent(number, bytes);
    events::frame(sent.kind, sent.event_id, &sent.data)
}

/// The numbers of everything that arrives.
async fn read(theirs: TcpStream, count: u64) -> Vec<u64> {
    let mut client = WebSocketStream::from_raw_socket(theirs, Role::Client, None).await;
    let mut numbers = Vec::new();
    for _ in 0..count {
        let text = client.next().await.unwrap().unwrap().into_text().unwrap();
        let number = text.split("\"event_id\":").nth(1).unwrap().split(',').next().unwrap();
        numbers.push(number.parse().unwrap());
    }
    numbers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_writes_every_event_arrives_once_and_in_order() {
    const COUNT: u64 = 700;
    // Frames that fit into the kernel many at a time, and frames that do not fit at all.
    for bytes in [50, 5_000, 100_000] {
        let count = if bytes > 10_000 { COUNT / 10 } else { COUNT };
        let (ours, theirs) = narrow_connection().await;
        let hub = Arc::new(Hub::default());
        let connected = connect(&hub);
        let (_reading, writer) = ours.into_split();
        connected.lend(Pen::new(writer, EventSeq(0)));
        let stored = Arc::new(AtomicU64::new(1));
        hub.deliver(&[sent(1, bytes)]).await;
        let owner = tokio::spawn(own(connected, Arc::clone(&stored), (count, bytes)));
        let reader = tokio::spawn(read(theirs, count));
        for number in 1..=count {
            // Now and then two are brought the wrong way round.
            let number = if number % 7 == 0 && number < count { number + 1 } else { number };
            stored.fetch_max(number, Ordering::SeqCst);
            hub.deliver(&[sent(number, bytes)]).await;
            if number % 7 == 1 && number > 1 {
                hub.deliver(&[sent(number - 1, bytes)]).await;
            }
            if number % 50 == 0 {
                hub.wake(alice());
            }
            tokio::task::yield_now().await;
        }
        hub.wake(alice());
        assert_eq!(reader.await.unwrap(), (1..=count).collect::<Vec<_>>(), "{bytes} bytes");
        assert!(owner.await.unwrap() >= 1, "the first one was written where it was brought");
    }
}

#[tokio::test]
async fn an_event_that_continues_what_was_sent_wakes_nobody() {
    let (ours, theirs) = narrow_connection().await;
    let hub = Arc::new(Hub::default());
    let connected = connect(&hub);
    let (_reading, writer) = ours.into_split();
    connected.lend(Pen::new(writer, EventSeq(4)));
    let (woken, was_woken) = oneshot::channel();
    let waiting = tokio::spawn(async move {
        connected.arrived().await;
        let _ = woken.send(connected.take_pen().unwrap().cursor);
    });
    // One that is known, two that are next, and one behind a gap.
    hub.deliver(&[sent(3, 9), sent(5, 9), sent(6, 9)]).await;
    assert_eq!(read(theirs, 2).await, [5, 6]);
    assert!(!waiting.is_finished());
    hub.deliver(&[sent(8, 9)]).await;
    assert_eq!(was_woken.await.unwrap(), EventSeq(6));
}

#[tokio::test]
async fn nothing_is_written_to_a_connection_that_is_to_be_closed() {
    let (ours, _theirs) = narrow_connection().await;
    let hub = Arc::new(Hub::default());
    let connected = connect(&hub);
    let (_reading, writer) = ours.into_split();
    connected.lend(Pen::new(writer, EventSeq(4)));
    hub.close(alice(), &Closing::Expelled);
    hub.deliver(&[sent(5, 9)]).await;
    assert_eq!(connected.take_pen().unwrap().cursor, EventSeq(4));
    assert_eq!(connected.take().closing, [Closing::Expelled]);
}
