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
    net::{TcpListener, TcpSocket, TcpStream, tcp::OwnedReadHalf},
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
    hub.address(&[sent(1, 10)]).deliver().await;
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
            hub.address(&[sent(u64::try_from(number).unwrap(), bytes)]).deliver().await;
        }
        let arrived = slow.take();
        assert!(arrived.look && arrived.events.is_empty(), "{count} × {bytes}");
        hub.address(&[sent(99, 1)]).deliver().await;
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

/// A connection to which four events were written, and whose owner lets others write on; then what its owner reads from,
/// and its other end.
async fn lent() -> (Arc<Hub>, Connected, OwnedReadHalf, TcpStream) {
    let (ours, theirs) = narrow_connection().await;
    let hub = Arc::new(Hub::default());
    let connected = connect(&hub);
    let (reading, writer) = ours.into_split();
    connected.lend(Pen::new(writer, EventSeq(4)));
    (hub, connected, reading, theirs)
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
        hub.address(&[sent(1, bytes)]).deliver().await;
        let owner = tokio::spawn(own(connected, Arc::clone(&stored), (count, bytes)));
        let reader = tokio::spawn(read(theirs, count));
        for number in 1..=count {
            // Now and then two are brought the wrong way round.
            let number = if number % 7 == 0 && number < count { number + 1 } else { number };
            stored.fetch_max(number, Ordering::SeqCst);
            hub.address(&[sent(number, bytes)]).deliver().await;
            if number % 7 == 1 && number > 1 {
                hub.address(&[sent(number - 1, bytes)]).deliver().await;
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
    let (hub, connected, _reading, theirs) = lent().await;
    let (woken, was_woken) = oneshot::channel();
    let waiting = tokio::spawn(async move {
        connected.arrived().await;
        let _ = woken.send(connected.take_pen().unwrap().cursor);
    });
    // One that is known, two that are next, and one behind a gap.
    hub.address(&[sent(3, 9), sent(5, 9), sent(6, 9)]).deliver().await;
    assert_eq!(read(theirs, 2).await, [5, 6]);
    assert!(!waiting.is_finished());
    hub.address(&[sent(8, 9)]).deliver().await;
    assert_eq!(was_woken.await.unwrap(), EventSeq(6));
}

#[tokio::test]
async fn nothing_is_written_to_a_connection_that_is_to_be_closed() {
    let (hub, connected, _reading, _theirs) = lent().await;
    hub.close(alice(), &Closing::Expelled);
    hub.address(&[sent(5, 9)]).deliver().await;
    assert_eq!(connected.take_pen().unwrap().cursor, EventSeq(4));
    assert_eq!(connected.take().closing, [Closing::Expelled]);
}

/// What arrives at the other end, frame by frame.
async fn texts(theirs: TcpStream, count: usize) -> Vec<String> {
    let client = WebSocketStream::from_raw_socket(theirs, Role::Client, None).await;
    let texts = client.take(count).map(|text| text.unwrap().into_text().unwrap().to_string());
    texts.collect().await
}

#[tokio::test]
async fn an_answer_leaves_with_the_event_that_comes_with_it_and_wakes_nobody() {
    let (hub, connected, _reading, theirs) = lent().await;
    let way_back = connected.expect_answer();
    let events = [sent(5, 1)];
    assert!(way_back.answer(Frame::text("stored"), &events));
    assert!(!way_back.answer(Frame::text("again"), &events), "there is one answer");
    assert!(!connected.expects_no_more());
    // It is told to all connections of the party; this one has it.
    hub.address(&events).deliver_at_once();
    assert!(timeout(Duration::from_millis(10), connected.arrived()).await.is_err());
    // An event behind a gap does not hold up an answer.
    assert!(connected.expect_answer().answer(Frame::text("more"), &[sent(9, 1)]));
    let Pen { cursor, rest, .. } = connected.take_pen().unwrap();
    assert_eq!((cursor, rest.len()), (EventSeq(5), 0));
    let event = r#"{"type":"message.new","event_id":5,"data":x}"#;
    assert_eq!(texts(theirs, 3).await, ["stored", event, "more"]);
}

#[tokio::test]
async fn nobody_answers_who_comes_too_late() {
    let (_hub, connected, reading, theirs) = lent().await;
    let way_back = connected.expect_answer();
    assert!(connected.expects_no_more(), "nobody has answered");
    assert!(!way_back.answer(Frame::text("late"), &[]));
    drop((connected.take_pen(), reading));
    assert!(connected.take().answers.is_empty());
    let mut nothing = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(&mut { theirs }, &mut nothing).await.unwrap();
    assert_eq!(nothing, b"");
}

#[tokio::test]
async fn an_answer_that_nobody_else_can_write_is_left_to_the_owner() {
    let hub = Arc::new(Hub::default());
    let connected = connect(&hub);
    // The owner has the pen himself.
    assert!(connected.expect_answer().answer(Frame::text("one"), &[sent(1, 1)]));
    hub.address(&[sent(1, 1)]).deliver_at_once();
    connected.arrived().await;
    let arrived = connected.take();
    assert_eq!(arrived.answers, [Frame::text("one")]);
    assert_eq!(arrived.events.len(), 1);
    // Something comes before it.
    let (ours, _theirs) = narrow_connection().await;
    let (_reading, writer) = ours.into_split();
    connected.lend(Pen::new(writer, EventSeq(1)));
    hub.wake(alice());
    assert!(connected.expect_answer().answer(Frame::text("two"), &[]));
    assert_eq!(connected.take().answers, [Frame::text("two")]);
}

#[tokio::test]
async fn an_answer_arrives_whole_however_little_the_kernel_takes() {
    for (answer, event) in [(4_000_000, 10), (10, 4_000_000)] {
        let (_hub, connected, _reading, theirs) = lent().await;
        let answer = "x".repeat(answer);
        assert!(connected.expect_answer().answer(Frame::text(&answer), &[sent(5, event)]));
        connected.arrived().await;
        let Pen { mut writer, cursor, rest } = connected.take_pen().unwrap();
        assert!(!rest.is_empty() && cursor == EventSeq(5), "the kernel has no room for all");
        let rest = tokio::spawn(async move { writer.write_all(&rest).await.map(|()| writer) });
        let arrived = texts(theirs, 2).await;
        assert_eq!(arrived[0], answer);
        assert!(arrived[1].contains("\"event_id\":5"));
        assert!(arrived[1].contains(&"x".repeat(event)));
        drop(rest.await.unwrap().unwrap());
    }
}
