//! Sockets: every event, in order, once, whatever happens to the connection.

use std::time::Duration;

use assent_test_relay::{Address, Person, Socket};
use futures_util::{SinkExt as _, StreamExt as _};
use http::Method;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{WebSocketStream, client_async, tungstenite::Message};

use crate::{
    messages::Pair,
    world::{World, on_both, on_both_with},
};

/// A socket before its first frame.
async fn raw(relay: Address, socket_path: &str) -> WebSocketStream<TcpStream> {
    let stream = TcpStream::connect(relay.0).await.unwrap();
    client_async(format!("ws://{}/ws/{socket_path}", relay.0), stream).await.unwrap().0
}

/// What a socket says before it is closed, and with which code.
async fn last_words(mut socket: WebSocketStream<TcpStream>) -> (Vec<Value>, Option<u16>) {
    let mut frames = Vec::new();
    while let Some(Ok(message)) = socket.next().await {
        match message {
            Message::Text(text) => frames.push(serde_json::from_str(&text).unwrap()),
            Message::Close(frame) => return (frames, frame.map(|frame| frame.code.into())),
            _ => {}
        }
    }
    (frames, None)
}

async fn refused_after(
    relay: Address,
    socket_path: &str,
    first: Message,
) -> (Vec<Value>, Option<u16>) {
    let mut socket = raw(relay, socket_path).await;
    socket.send(first).await.unwrap();
    last_words(socket).await
}

#[tokio::test(flavor = "multi_thread")]
async fn events_come_in_order_and_a_connection_goes_on_where_the_last_one_was() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let token = &pair.agent.token;
        let mut socket = Socket::connect(pair.relay, "agent", token, Some(0)).await.unwrap();
        assert_eq!(socket.next().await.unwrap().kind, "relation.established");
        for number in 1..=5 {
            pair.say(&format!("m{number}"), "x").await;
            let event = socket.next().await.unwrap();
            assert_eq!((event.event_id, event.kind.as_str()), (number + 1, "message.new"));
        }
        drop(socket);
        for number in 6..=300 {
            pair.say(&format!("m{number}"), "x").await;
        }
        let mut again = Socket::connect(pair.relay, "agent", token, Some(6)).await.unwrap();
        assert_eq!(again.welcome["resume_after"], 6);
        assert_eq!(again.welcome["latest_event_id"], 301);
        for number in 7..=301 {
            assert_eq!(again.next().await.unwrap().event_id, number);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_place_to_resume_from_a_socket_goes_on_behind_what_was_acknowledged() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        for number in 1..=4 {
            pair.say(&format!("m{number}"), "x").await;
        }
        let token = &pair.agent.token;
        let mut socket = Socket::connect(pair.relay, "agent", token, None).await.unwrap();
        for number in 1..=3 {
            assert_eq!(socket.next().await.unwrap().event_id, number);
        }
        socket.acknowledge(3).await.unwrap();
        // More than was sent cannot have been handled.
        socket.acknowledge(3000).await.unwrap();
        tokio::time::sleep(Duration::from_millis(1500)).await;
        drop(socket);
        let again = Socket::connect(pair.relay, "agent", token, None).await.unwrap();
        assert_eq!(again.welcome["resume_after"], 5);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_device_of_a_person_gets_every_event() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let token = &pair.person.token;
        let mut phone = Socket::connect(pair.relay, "human", token, Some(0)).await.unwrap();
        let mut desk = Socket::connect(pair.relay, "human", token, Some(0)).await.unwrap();
        pair.answer("a1", "artifact").await;
        pair.say("m1", "x").await;
        for socket in [&mut phone, &mut desk] {
            let mut kinds = Vec::new();
            for number in 1..=3 {
                let event = socket.next().await.unwrap();
                assert_eq!(event.event_id, number);
                kinds.push(event.kind);
            }
            assert_eq!(kinds, ["relation.established", "message.new", "message.ack"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_without_authentication_gets_an_error_and_is_closed() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let (relay, agent) = (pair.relay, &pair.agent.token);
        let auth = |token: &str| Message::text(json!({"type": "auth", "token": token}).to_string());
        let cases = [
            ("human", auth("nonsense"), "invalid_token", 4401),
            ("agent", auth("hsk_nonsense"), "invalid_token", 4401),
            ("human", auth(agent), "invalid_token", 4401),
            ("agent", auth(&pair.person.token), "invalid_token", 4401),
            ("agent?agent_id=agt_01J00000000000000000000000", auth(agent), "invalid_token", 4401),
            ("agent", Message::text(r#"{"type":"ack","event_id":1}"#), "auth_required", 4401),
            ("agent", Message::binary(vec![1]), "auth_required", 4401),
        ];
        for (socket_path, first, reason, code) in cases {
            let (frames, closed) = refused_after(relay, socket_path, first).await;
            assert_eq!(frames[0]["type"], "auth.error", "{socket_path}");
            assert_eq!((frames[0]["reason"].as_str(), closed), (Some(reason), Some(code)));
        }
        let (_, closed) = refused_after(relay, "agent", Message::text("no json")).await;
        assert_eq!(closed, Some(4400));
        let (_, closed) = refused_after(relay, "agent", Message::text("x".repeat(17 * 1024))).await;
        assert_eq!(closed, Some(1009));
        let (frames, closed) = last_words(raw(relay, "human").await).await;
        assert_eq!(frames[0]["reason"], "auth_timeout");
        assert_eq!(closed, Some(4408));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_renews_the_token_or_is_closed_when_it_runs_out() {
    on_both(async |world| {
        let mut pair = Pair::meet(world, "ada").await;
        let connect = |token: String| async move {
            Socket::connect(pair.relay, "human", &token, None).await.unwrap()
        };
        let mut renewed = connect(pair.person.token.clone()).await;
        let mut left = connect(pair.person.token.clone()).await;
        world.advance(Duration::from_secs(280));
        let frame = loop {
            let frame = left.next_json().await.unwrap();
            if frame["event_id"].is_null() {
                break frame;
            }
        };
        assert_eq!(frame["type"], "auth.expiring");
        pair.person.log_in(pair.relay).await.unwrap();
        let renew = json!({ "type": "auth.renew", "access_token": pair.person.token });
        renewed.send(&renew).await.unwrap();
        loop {
            let frame = renewed.next_json().await.unwrap();
            if frame["type"] == "auth.ok" {
                break;
            }
        }
        world.advance(Duration::from_secs(30));
        assert_eq!(left.close_code().await, Some(4401));
        pair.say("m1", "x").await;
        let event = renewed.next_within(Duration::from_secs(3)).await.unwrap();
        assert_eq!(event.kind, "message.ack");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_out_closes_the_sockets_of_that_login_only() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let mut other = pair.person.clone();
        other.log_in(pair.relay).await.unwrap();
        let mut here =
            Socket::connect(pair.relay, "human", &pair.person.token, None).await.unwrap();
        let mut there = Socket::connect(pair.relay, "human", &other.token, None).await.unwrap();
        let token = Some(pair.person.token.as_str());
        let out = pair.relay.call(Method::POST, "/auth/logout", token, None).await.unwrap();
        assert!(out.status.is_success(), "{out:?}");
        assert_eq!(here.close_code().await, Some(4410));
        assert!(Socket::connect(pair.relay, "human", &pair.person.token, None).await.is_err());
        pair.answer("a1", "artifact").await;
        loop {
            let event = there.next_within(Duration::from_secs(3)).await.expect("still open");
            if event.kind == "message.new" {
                break;
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_that_stops_says_goodbye() {
    for postgres in [false, true] {
        let world = World::start(postgres, |_| {}).await;
        let pair = Pair::meet(&world, "ada").await;
        let mut socket =
            Socket::connect(pair.relay, "agent", &pair.agent.token, Some(1)).await.unwrap();
        let ((), words) = tokio::join!(world.stop(), async {
            let frame = socket.next_json().await.unwrap();
            (frame, socket.close_code().await)
        });
        assert_eq!(words.0["type"], "draining");
        assert_eq!(words.1, Some(1001));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_delays_no_other_and_loses_nothing() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let token = &pair.agent.token;
        let mut lazy = Socket::connect(pair.relay, "agent", token, Some(1)).await.unwrap();
        let mut keen = Socket::connect(pair.relay, "agent", token, Some(1)).await.unwrap();
        let envelope = "x".repeat(200_000);
        for number in 2..=60 {
            pair.say(&format!("m{number}"), &envelope).await;
            let event = keen.next_within(Duration::from_secs(5)).await.expect("in time");
            assert_eq!(event.event_id, number);
        }
        for number in 2..=60 {
            let event = lazy.next_within(Duration::from_secs(5)).await.expect("in time");
            assert_eq!(event.event_id, number);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_party_has_so_many_sockets_and_not_one_more() {
    on_both_with(
        |settings| settings.limits.sockets_per_party = 2,
        async |world| {
            let relay = Address(world.address());
            let person = Person::register(relay, "ada").await;
            let connect = || Socket::connect(relay, "human", &person.token, None);
            let (one, _two) = (connect().await.unwrap(), connect().await.unwrap());
            let auth = json!({ "type": "auth", "token": person.token }).to_string();
            let (frames, closed) = refused_after(relay, "human", Message::text(auth)).await;
            assert_eq!(frames[0]["reason"], "too_many_connections");
            assert_eq!(closed, Some(4429));
            drop(one);
            for _ in 0..100 {
                if connect().await.is_ok() {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            panic!("a place that was given up is free");
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_for_sockets_tells_others_what_it_is() {
    on_both(async |world| {
        for path in ["/ws/human", "/ws/agent"] {
            let answer = world.call(Method::GET, path, None, None).await;
            assert_eq!((answer.status.as_u16(), answer.code()), (400, "BAD_REQUEST"));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_socket_of_an_agent_tells_suspension_from_the_end() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let (id, token) = (&pair.agent.agent_id, &pair.agent.token);
        let mut socket = Socket::connect(pair.relay, "agent", token, None).await.unwrap();
        let operate = async |what: &str| {
            let path = format!("/admin/agents/{id}/{what}");
            world.operate(Method::POST, &path, None).await.data();
        };
        operate("suspend").await;
        assert_eq!(socket.close_code().await, Some(4403));
        operate("restore").await;
        let mut socket = Socket::connect(pair.relay, "agent", token, None).await.unwrap();
        let owner = Some(pair.person.token.as_str());
        let path = format!("/agents/{id}");
        let gone = pair.relay.call(Method::DELETE, &path, owner, None).await.unwrap();
        assert!(gone.status.is_success(), "{gone:?}");
        assert_eq!(socket.close_code().await, Some(4410));
    })
    .await;
}
