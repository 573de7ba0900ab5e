//! The typed client on sockets, and lines that outlive their connections.

use std::{collections::BTreeSet, net::SocketAddr, sync::Arc, time::Duration};

use assent_ids::EventSeq;
use assent_protocol::a2h::{ApiCode, ContentType, EventBody, MsgSubtype};
use assent_relay_api::{
    client::{Client, Connecting, Credentials, Door, Happened, Line, SocketError},
    operations::messages::NewMessage,
    socket::{AuthErrorReason, MessageSend, ServerFrame},
};
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

/// Longer than anything takes that is going to happen.
const PATIENCE: Duration = Duration::from_secs(30);

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

fn client(address: SocketAddr, token: &str) -> Client {
    let credentials = Credentials::bearer(token.to_owned());
    Client::new(&format!("http://{address}"), credentials).unwrap()
}

fn as_person() -> Connecting {
    Connecting { door: Door::Human, resume_after: Some(EventSeq(0)), device_id: None }
}

fn as_agent(pair: &Pair) -> Connecting {
    let agent_id = pair.agent.agent_id.parse().unwrap();
    Connecting { door: Door::Agent(agent_id), resume_after: Some(EventSeq(0)), device_id: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typed_socket_sends_hears_acknowledges_and_says_goodbye() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let person = client(world.address(), &pair.person.token);
        let mut socket = person.connect(&as_person()).await.unwrap();
        assert_eq!(socket.welcome().latest_event_id, EventSeq(1));
        socket.send(message(&pair, "m1", "aGk=")).unwrap();
        let (mut events, mut sent) = (Vec::new(), None);
        while events.len() < 2 || sent.is_none() {
            match timeout(PATIENCE, socket.next()).await.unwrap().unwrap() {
                ServerFrame::Event(event) => events.push(event.body),
                ServerFrame::MessageSent(answer) => sent = Some(answer),
                other => panic!("{other:?}"),
            }
        }
        let [EventBody::RelationEstablished(_), EventBody::MessageAck(ack)] = &*events else {
            panic!("{events:?}")
        };
        assert_eq!(ack.message_id, sent.unwrap().sent.message_id);
        socket.acknowledge(EventSeq(2));
        socket.send(message(&pair, "m1", "aGEh")).unwrap();
        let ServerFrame::MessageRefused(refused) = socket.next().await.unwrap() else { panic!() };
        assert_eq!(refused.error.code, ApiCode::MessageIdReused);
        socket.renew(pair.person.token.clone().into()).unwrap();
        assert!(matches!(socket.next().await.unwrap(), ServerFrame::AuthOk(_)));
        socket.close().await.unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_not_let_in_learns_why_and_that_trying_again_does_not_help() {
    let world = World::start(false, |_| {}).await;
    let pair = Pair::meet(&world, "ada").await;
    let error = client(world.address(), "nonsense").connect(&as_person()).await.unwrap_err();
    let SocketError::Rejected(why) = &error else { panic!("{error}") };
    assert_eq!(why.reason, AuthErrorReason::InvalidToken);
    assert!(!error.is_passing());
    let nobody = Client::new(&format!("http://{}", world.address()), Credentials::None).unwrap();
    assert!(matches!(nobody.connect(&as_person()).await, Err(SocketError::NoToken)));
    // What is behind another path is no socket, and says so.
    let elsewhere = format!("http://{}/elsewhere", world.address());
    let elsewhere = Client::new(&elsewhere, Credentials::bearer("x".to_owned())).unwrap();
    let error = elsewhere.connect(&as_person()).await.unwrap_err();
    assert!(matches!(&error, SocketError::Client(why) if why.code() == Some(ApiCode::NotFound)));

    let mut line = client(world.address(), &pair.person.token).line(as_person());
    assert!(matches!(line.next().await.unwrap(), Happened::Connected(_)));
    let long = message(&pair, "m1", &"AAAA".repeat(17 * 1024));
    assert!(matches!(line.send(long), Err(SocketError::TooLong)));
    let token = Some(pair.person.token.as_str());
    pair.relay.call(http::Method::POST, "/auth/logout", token, None).await.unwrap();
    let error = loop {
        match timeout(PATIENCE, line.next()).await.unwrap() {
            Ok(Happened::Event(_)) => {}
            Ok(other) => panic!("{other:?}"),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, SocketError::Closed(Some(4410))), "{error}");
    world.stop().await;
}

/// A way to a relay that can be cut.
struct Way {
    address: SocketAddr,
    cut: Arc<Notify>,
}

impl Way {
    async fn to(relay: SocketAddr) -> Self {
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

/// Hears until so many answers and so many events have come.
async fn listen(line: &mut Line, answers: usize, events: usize) -> (Vec<String>, Vec<u64>, usize) {
    let (mut sent, mut heard, mut lost) = (Vec::new(), Vec::new(), 0);
    while sent.len() < answers || heard.len() < events {
        match timeout(PATIENCE, line.next()).await.expect("something happens").unwrap() {
            Happened::Sent(answer) => sent.push(answer.client_message_id.to_string()),
            Happened::Event(event) => {
                line.acknowledge(event.event_id);
                heard.push(event.event_id.0);
            }
            Happened::Lost { .. } => lost += 1,
            Happened::Connected(_) => {}
            other => panic!("{other:?}"),
        }
    }
    (sent, heard, lost)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_loses_and_repeats_nothing_however_often_its_connection_breaks() {
    const MESSAGES: usize = 200;
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let way = Way::to(world.address()).await;
        let mut person = client(way.address, &pair.person.token).line(as_person());
        let mut agent = client(way.address, &pair.agent.token).line(as_agent(&pair));
        for number in 0..MESSAGES {
            person.send(message(&pair, &format!("m{number}"), "aGk=")).unwrap();
        }
        let cutting = async {
            loop {
                sleep(Duration::from_millis(40)).await;
                way.cut.notify_waiters();
            }
        };
        let (mine, theirs) = tokio::select! {
            () = cutting => unreachable!(),
            both = async {
                tokio::join!(
                    listen(&mut person, MESSAGES, MESSAGES + 1),
                    listen(&mut agent, 0, MESSAGES + 1),
                )
            } => both,
        };
        assert!(mine.2 + theirs.2 > 0, "the connections broke");
        let names: BTreeSet<_> = mine.0.iter().collect();
        assert_eq!(names.len(), MESSAGES);
        let all: Vec<u64> = (1..=MESSAGES as u64 + 1).collect();
        assert_eq!((mine.1, theirs.1), (all.clone(), all));
        assert_eq!(person.unanswered().count(), 0);
        assert_eq!(person.cursor(), Some(EventSeq(MESSAGES as u64 + 1)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_takes_no_more_messages_than_it_can_remember() {
    let world = World::start(false, |_| {}).await;
    let pair = Pair::meet(&world, "ada").await;
    let mut line = client(world.address(), &pair.person.token).line(as_person());
    for number in 0..1024 {
        line.send(message(&pair, &format!("m{number}"), "aGk=")).unwrap();
    }
    let more = || message(&pair, "more", "aGk=");
    assert!(matches!(line.send(more()), Err(SocketError::TooMany)));
    let (sent, ..) = listen(&mut line, 1, 0).await;
    assert_eq!(sent, ["m0"]);
    line.send(more()).unwrap();
    world.stop().await;
}
