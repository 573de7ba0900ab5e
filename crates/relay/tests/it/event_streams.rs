//! The typed client at a real relay.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use assent_ids::EventSeq;
use assent_protocol::a2h::{ApiCode, ContentType, EventBody, MsgSubtype};
use assent_relay_api::{
    operations::conversations::NewMessage,
    socket::{AuthErrorReason, MessageSend},
};
use assent_relay_client::{
    Client, ConnectOptions, Credentials, EventStream, SendError, SocketRole, StreamError,
    StreamEvent,
};
use futures_util::StreamExt as _;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::Notify,
    time::{sleep, timeout},
};

use crate::{
    messages::Pair,
    world::{World, on_both},
};

/// Longer than any step of these tests takes.
const TIMEOUT: Duration = Duration::from_secs(30);

fn message(pair: &Pair, id: &str, envelope: &str) -> MessageSend {
    MessageSend {
        conversation_id: pair.relation.conversation_id.parse().unwrap(),
        message: NewMessage {
            client_message_id: id.parse().unwrap(),
            msg_subtype: MsgSubtype::Text,
            content_type: ContentType::Text,
            envelope: envelope.to_owned().try_into().unwrap(),
        },
    }
}

pub(crate) fn client(address: SocketAddr, token: &str) -> Client {
    let credentials = Credentials::bearer(token.to_owned());
    Client::new(&format!("http://{address}"), credentials).unwrap()
}

fn as_person() -> ConnectOptions {
    ConnectOptions { resume_after: Some(EventSeq(0)), ..ConnectOptions::new(SocketRole::Human) }
}

pub(crate) fn as_agent(pair: &Pair, resume_after: u64) -> ConnectOptions {
    let role = SocketRole::Agent(pair.agent.agent_id.parse().unwrap());
    ConnectOptions { resume_after: Some(EventSeq(resume_after)), ..ConnectOptions::new(role) }
}

pub(crate) async fn next(events: &mut EventStream) -> Result<StreamEvent, StreamError> {
    timeout(TIMEOUT, events.next()).await.expect("something happens").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_sends_receives_acknowledges_and_goes_on_with_another_token() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let person = client(world.address(), &pair.person.token);
        let mut events = person.event_stream(as_person());
        let Ok(StreamEvent::Connected(welcome)) = next(&mut events).await else { panic!() };
        assert_eq!(welcome.latest_event_id, EventSeq(1));
        let handle = events.handle();
        let sent = handle.send(message(&pair, "m1", "aGk=")).await.unwrap();
        let mut bodies = Vec::new();
        while bodies.len() < 2 {
            let StreamEvent::Event(event) = next(&mut events).await.unwrap() else { panic!() };
            handle.acknowledge(event.event_id);
            bodies.push(event.body);
        }
        let [EventBody::RelationEstablished(_), EventBody::MessageAck(ack)] = &*bodies else {
            panic!("{bodies:?}")
        };
        assert_eq!(ack.message_id, sent.sent.message_id);
        assert_eq!(handle.send(message(&pair, "m1", "aGk=")).await.unwrap(), sent);
        let Err(SendError::Refused(refusal)) = handle.send(message(&pair, "m1", "aGEh")).await
        else {
            panic!()
        };
        assert_eq!(refusal.code, Some(ApiCode::MessageIdReused.into()));
        handle.renew(pair.person.token.clone().into());
        handle.send(message(&pair, "m2", "aGk=")).await.unwrap();
        drop(events);
        // Without `resume_after`, what was acknowledged before the stream was dropped does not come again.
        for _ in 0..100 {
            let mut again = person.event_stream(ConnectOptions::new(SocketRole::Human));
            let Ok(StreamEvent::Connected(welcome)) = next(&mut again).await else { panic!() };
            if welcome.resume_after == EventSeq(2) {
                return;
            }
            sleep(Duration::from_millis(50)).await;
        }
        panic!("the acknowledgement was lost");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_not_let_in_learns_why() {
    let world = World::start(false, |_| {}).await;
    let pair = Pair::meet(&world, "ada").await;
    let mut stranger = client(world.address(), "nonsense").event_stream(as_person());
    let error = next(&mut stranger).await.unwrap_err();
    let StreamError::Rejected(why) = &error else { panic!("{error}") };
    assert_eq!(why.reason, AuthErrorReason::InvalidToken);
    // Another path has no socket.
    let elsewhere = format!("http://{}/elsewhere", world.address());
    let elsewhere = Client::new(&elsewhere, Credentials::bearer("x".to_owned())).unwrap();
    let error = next(&mut elsewhere.event_stream(as_person())).await.unwrap_err();
    assert!(matches!(&error, StreamError::Client(why) if why.code() == Some(ApiCode::NotFound)));

    let mut events = client(world.address(), &pair.person.token).event_stream(as_person());
    assert!(matches!(next(&mut events).await, Ok(StreamEvent::Connected(_))));
    let token = Some(pair.person.token.as_str());
    pair.relay.call(http::Method::POST, "/auth/logout", token, None).await.unwrap();
    let error = loop {
        match next(&mut events).await {
            Ok(StreamEvent::Event(_)) => {}
            Ok(other) => panic!("{other:?}"),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StreamError::Closed(Some(4410))), "{error}");
    world.stop().await;
}

/// A proxy of a relay whose connections can be cut.
struct Proxy {
    address: SocketAddr,
    cut: Arc<Notify>,
}

impl Proxy {
    async fn start(relay: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, cut) = (listener.local_addr().unwrap(), Arc::new(Notify::new()));
        let cut_here = Arc::clone(&cut);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let cut = Arc::clone(&cut_here);
                tokio::spawn(async move {
                    let mut far = TcpStream::connect(relay).await.unwrap();
                    tokio::select! {
                        _ = copy_bidirectional(&mut near, &mut far) => {}
                        () = cut.notified() => {}
                    }
                });
            }
        });
        Self { address, cut }
    }
}

/// Takes this many events. Gives their numbers, and how often the connection broke.
async fn take(events: &mut EventStream, count: usize) -> (Vec<u64>, usize) {
    let (mut taken, mut broken) = (Vec::new(), 0);
    let handle = events.handle();
    while taken.len() < count {
        match next(events).await.unwrap() {
            StreamEvent::Event(event) => {
                handle.acknowledge(event.event_id);
                taken.push(event.event_id.0);
            }
            StreamEvent::Disconnected { .. } => broken += 1,
            StreamEvent::Connected(_) => {}
            other => panic!("{other:?}"),
        }
    }
    (taken, broken)
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_stored_twice_however_often_connections_break() {
    const MESSAGES: usize = 200;
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let proxy = Proxy::start(world.address()).await;
        let mut person = client(proxy.address, &pair.person.token).event_stream(as_person());
        let agent = client(proxy.address, &pair.agent.token);
        let mut agent = agent.event_stream(as_agent(&pair, 0));
        let sends: Vec<_> = (0..MESSAGES)
            .map(|number| {
                let handle = person.handle();
                let message = message(&pair, &format!("m{number}"), "aGk=");
                tokio::spawn(async move { handle.send(message).await.unwrap().sent })
            })
            .collect();
        let cutting = async {
            loop {
                sleep(Duration::from_millis(40)).await;
                proxy.cut.notify_waiters();
            }
        };
        let (mine, theirs) = tokio::select! {
            () = cutting => unreachable!(),
            both = async {
                tokio::join!(take(&mut person, MESSAGES + 1), take(&mut agent, MESSAGES + 1))
            } => both,
        };
        assert!(mine.1 + theirs.1 > 0, "the connections broke");
        let all: Vec<u64> = (1..=MESSAGES as u64 + 1).collect();
        assert_eq!((mine.0, theirs.0), (all.clone(), all));
        let mut stored = Vec::new();
        for send in sends {
            stored.push(timeout(TIMEOUT, send).await.unwrap().unwrap().conversation_seq.0);
        }
        stored.sort_unstable();
        assert_eq!(stored, (1..=MESSAGES as u64).collect::<Vec<_>>());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_arrive_that_are_large_or_sent_while_the_consumer_is_behind() {
    let world = World::start(false, |_| {}).await;
    let pair = Pair::meet(&world, "ada").await;
    let mut person = client(world.address(), &pair.person.token).event_stream(as_person());
    let handle = person.handle();
    let large = message(&pair, "large", &"AAAA".repeat(100 * 1024));
    let sent = handle.send(large.clone()).await.unwrap();
    assert_eq!((sent.sent.conversation_seq.0, handle.send(large).await.unwrap()), (1, sent));
    // Each message is an event for its sender as well, and the sender takes none of them.
    for number in 2..=150 {
        let sent = handle.send(message(&pair, &format!("m{number}"), "aGk=")).await.unwrap();
        assert_eq!(sent.sent.conversation_seq.0, number);
    }
    let (taken, broken) = take(&mut person, 151).await;
    assert_eq!((taken, broken), ((1..=151).collect(), 0));
    world.stop().await;
}
