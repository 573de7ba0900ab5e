//! Messages on sockets: stored, answered and refused as by a request.

use std::time::Duration;

use assent_test_relay::{Address, Person, Socket};
use http::Method;
use serde_json::{Value, json};

use crate::{
    messages::Pair,
    world::{World, on_both, on_both_with},
};

impl Pair {
    /// A socket of the person, on which nothing old comes.
    async fn person_socket(&self) -> Socket {
        self.socket("human", &self.person.token).await
    }

    async fn socket(&self, socket_path: &str, token: &str) -> Socket {
        Socket::connect(self.relay, socket_path, token, Some(1 << 40)).await.unwrap()
    }

    /// The messages of the conversation.
    async fn history(&self) -> Vec<Value> {
        let path = format!("/conversations/{}/messages", self.relation.conversation_id);
        let token = Some(self.agent.token.as_str());
        let page = self.relay.call(Method::GET, &path, token, None).await.unwrap();
        page.data().as_array().unwrap().clone()
    }
}

/// Why a message is refused, and where.
fn refused(answer: &Value) -> (&str, Option<&str>) {
    assert_eq!(answer["type"], "message.refused", "{answer}");
    let error = &answer["error"];
    (error["code"].as_str().unwrap(), error["params"]["pointer"].as_str())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_on_a_socket_is_answered_and_delivered_like_one_by_a_request() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let mut socket = pair.person_socket().await;
        let mut agent = pair.socket("agent", &pair.agent.token).await;
        let sent = socket.say(&pair.relation, "m1", "hello").await.unwrap();
        assert_eq!(sent["type"], "message.sent");
        assert_eq!(sent["conversation_id"], pair.relation.conversation_id.as_str());
        assert_eq!(sent["conversation_seq"], 1);
        let ack = socket.next().await.unwrap();
        assert_eq!(
            (ack.kind.as_str(), &ack.data["message_id"]),
            ("message.ack", &sent["message_id"])
        );
        let heard = agent.next().await.unwrap();
        assert_eq!(heard.kind, "message.new");
        assert_eq!(heard.data["message_id"], sent["message_id"]);
        assert_eq!(heard.data["sender_id"], pair.person.user_id.as_str());

        // Whichever way it is repeated, it is the same message.
        let again = pair.say("m1", "hello").await;
        assert_eq!(
            (again.status.as_u16(), &again.data()["message_id"]),
            (200, &sent["message_id"])
        );
        assert_eq!(socket.say(&pair.relation, "m1", "hello").await.unwrap(), sent);
        let other = socket.say(&pair.relation, "m1", "something else").await.unwrap();
        assert_eq!(refused(&other), ("MESSAGE_ID_REUSED", None));
        assert_eq!(pair.history().await.len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_answers_on_its_socket() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let mut person = pair.person_socket().await;
        let mut agent = pair.socket("agent", &pair.agent.token).await;
        let sent = agent.say(&pair.relation, "a1", "done").await.unwrap();
        assert_eq!(sent["type"], "message.sent");
        let heard = person.next().await.unwrap();
        assert_eq!(heard.data["sender_id"], pair.agent.agent_id.as_str());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_are_sent_without_waiting_stand_in_the_order_of_the_socket() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let mut socket = pair.person_socket().await;
        for number in 1..=50 {
            let frame = pair.relation.message(&format!("m{number}"), "x");
            socket.send(&frame).await.unwrap();
        }
        let mut answers = Vec::new();
        while answers.len() < 50 {
            let frame = socket.next_json().await.unwrap();
            if frame["type"] == "message.sent" {
                answers
                    .push((frame["client_message_id"].clone(), frame["conversation_seq"].clone()));
            }
        }
        let expected: Vec<_> =
            (1..=50).map(|number| (json!(format!("m{number}")), json!(number))).collect();
        assert_eq!(answers, expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_message_is_refused_and_the_connection_goes_on() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let mut socket = pair.person_socket().await;
        let good = pair.relation.message("m1", "x");
        let with = |name: &str, value: Value| {
            let mut frame = good.clone();
            frame[name] = value;
            frame
        };
        let cases = [
            (with("envelope", json!("not base64!")), "VALIDATION_FAILED", Some("/envelope")),
            (with("envelope", json!(7)), "BAD_REQUEST", Some("/envelope")),
            (with("msg_subtype", json!("smoke")), "VALIDATION_FAILED", Some("/msg_subtype")),
            (with("conversation_id", json!(null)), "BAD_REQUEST", Some("/conversation_id")),
            (json!({ "type": "message.send" }), "BAD_REQUEST", Some("/conversation_id")),
            (with("conversation_id", json!("cnv_01J00000000000000000000000")), "NOT_FOUND", None),
        ];
        for (frame, code, pointer) in cases {
            socket.send(&frame).await.unwrap();
            let answer = socket.next_json().await.unwrap();
            assert_eq!(refused(&answer), (code, pointer), "{frame}");
            // As much of its names as could be read.
            assert_eq!(answer.get("client_message_id"), frame.get("client_message_id"), "{frame}");
        }
        assert_eq!(socket.say(&pair.relation, "m1", "x").await.unwrap()["conversation_seq"], 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_not_in_a_conversation_cannot_send_to_it_on_a_socket() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let stranger = Person::register(pair.relay, "eve").await;
        let other = stranger.create_agent(pair.relay, "other", json!({})).await;
        for (socket_path, token) in [("human", &stranger.token), ("agent", &other.token)] {
            let mut socket = pair.socket(socket_path, token).await;
            let answer = socket.say(&pair.relation, "m1", "x").await.unwrap();
            assert_eq!(refused(&answer), ("NOT_FOUND", None));
        }
        assert!(pair.history().await.is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_on_sockets_and_by_requests_share_one_limit() {
    on_both_with(
        |settings| settings.limits.messages_per_second = 2,
        async |world| {
            let pair = Pair::meet(world, "ada").await;
            let mut socket = pair.socket("agent", &pair.agent.token).await;
            // The clock stands still: all of it is one second.
            assert_eq!(pair.answer("a1", "artifact").await.status, 201);
            let second = socket.say(&pair.relation, "a2", "x").await.unwrap();
            assert_eq!(second["type"], "message.sent");
            let third = socket.say(&pair.relation, "a3", "x").await.unwrap();
            assert_eq!(refused(&third), ("RATE_LIMITED", None));
            assert_eq!(third["error"]["params"]["retry_after"], 1);
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_with_an_access_token_that_has_run_out() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let mut socket = pair.person_socket().await;
        world.advance(Duration::from_secs(301));
        socket.send(&pair.relation.message("m1", "x")).await.unwrap();
        assert_eq!(socket.close_code().await, Some(4401));
        assert!(pair.history().await.is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_on_a_socket_whose_login_or_token_has_ended() {
    // The sockets are at a node that gets no notice: there is no bus.
    let world = World::start(true, |_| {}).await;
    let deaf = world.second_node().await;
    let pair = Pair::meet(&world, "ada").await;
    let elsewhere = Pair { relay: Address(deaf.address()), ..pair };
    let mut person = elsewhere.socket("human", &elsewhere.person.token).await;
    let mut agent = elsewhere.socket("agent", &elsewhere.agent.token).await;
    assert_eq!(person.say(&elsewhere.relation, "m1", "x").await.unwrap()["conversation_seq"], 1);

    let operate = async |what: &str| {
        let path = format!("/admin/agents/{}/{what}", elsewhere.agent.agent_id);
        assert_eq!(world.operate(Method::POST, &path, None).await.status, 200);
    };
    operate("suspend").await;
    let answer = agent.say(&elsewhere.relation, "a1", "x").await.unwrap();
    assert_eq!(refused(&answer), ("FORBIDDEN", None));
    operate("restore").await;

    let token = Some(elsewhere.person.token.as_str());
    let home = Address(world.address());
    let logged_out = home.call(Method::POST, "/auth/logout", token, None).await.unwrap();
    assert_eq!(logged_out.status, 200);
    let answer = person.say(&elsewhere.relation, "m2", "x").await.unwrap();
    assert_eq!(refused(&answer), ("SESSION_REVOKED", None));

    assert_eq!(elsewhere.history().await.len(), 1);
    deaf.stop().await;
    world.stop().await;
}
