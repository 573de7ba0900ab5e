//! Messages: stored once, numbered without holes, read by members only.

use std::time::Duration;

use assent_test_relay::{Address, Agent, Person, Relation};
use http::Method;
use serde_json::{Value, json};

use crate::world::{World, on_both};

/// A person and an agent who are in touch.
pub(crate) struct Pair {
    pub(crate) relay: Address,
    pub(crate) person: Person,
    pub(crate) agent: Agent,
    pub(crate) relation: Relation,
}

impl Pair {
    pub(crate) async fn meet(world: &World, name: &str) -> Self {
        let relay = Address(world.address());
        let person = Person::register(relay, name).await;
        let agent = person.create_agent(relay, "helper", json!({})).await;
        let relation = person.relate(relay, &agent).await;
        Self { relay, person, agent, relation }
    }

    /// Sends as the person.
    pub(crate) async fn say(&self, id: &str, text: &str) -> assent_test_relay::Answer {
        self.relation.send(self.relay, &self.person.token, id, text).await.unwrap()
    }

    /// Sends as the agent.
    pub(crate) async fn answer(&self, id: &str, subtype: &str) -> assent_test_relay::Answer {
        let path = format!("/conversations/{}/messages", self.relation.conversation_id);
        let body = json!({
            "client_message_id": id, "msg_subtype": subtype, "content_type": "artifact",
            "envelope": "aGk=",
        });
        let token = Some(self.agent.token.as_str());
        self.relay.call(Method::POST, &path, token, Some(&body)).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_stored_once_however_often_it_is_sent() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let first = pair.say("m1", "hello").await;
        assert_eq!(first.status, 201);
        assert_eq!(first.data()["conversation_seq"], 1);
        let again = pair.say("m1", "hello").await;
        assert_eq!((again.status.as_u16(), again.data()), (200, first.data()));
        let other = pair.say("m1", "something else").await;
        assert_eq!((other.status.as_u16(), other.code()), (409, "MESSAGE_ID_REUSED"));
        assert_eq!(pair.say("m2", "more").await.data()["conversation_seq"], 2);
        // The agent's names are its own.
        assert_eq!(pair.answer("m1", "artifact").await.data()["conversation_seq"], 3);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sending_the_same_message_from_everywhere_at_once_stores_it_once() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let sending = (0..20).map(|_| pair.say("m1", "hello"));
        let answers = futures_util::future::join_all(sending).await;
        let created = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(created, 1);
        assert!(answers.iter().all(|answer| answer.data()["conversation_seq"] == 1));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_senders_fill_a_conversation_without_holes() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let ids: Vec<String> = (0..60).map(|number| format!("m{number}")).collect();
        let sending = ids.iter().map(|id| pair.say(id, "x"));
        let answers = futures_util::future::join_all(sending).await;
        let mut places: Vec<u64> = answers
            .iter()
            .map(|answer| answer.data()["conversation_seq"].as_u64().unwrap())
            .collect();
        places.sort_unstable();
        assert_eq!(places, (1..=60).collect::<Vec<_>>());
        let path = format!(
            "/conversations/{}/messages?after_seq=50&limit=200",
            pair.relation.conversation_id
        );
        let token = Some(pair.agent.token.as_str());
        let page = pair.relay.call(Method::GET, &path, token, None).await.unwrap();
        let seqs: Vec<&Value> =
            page.data().as_array().unwrap().iter().map(|m| &m["conversation_seq"]).collect();
        assert_eq!(seqs, (51..=60).map(Value::from).collect::<Vec<_>>().iter().collect::<Vec<_>>());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_not_in_a_conversation_does_not_learn_that_there_is_one() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let stranger = Person::register(pair.relay, "eve").await;
        let other = stranger.create_agent(pair.relay, "other", json!({})).await;
        for token in [&stranger.token, &other.token] {
            let sent = pair.relation.send(pair.relay, token, "m1", "x").await.unwrap();
            assert_eq!((sent.status.as_u16(), sent.code()), (404, "NOT_FOUND"));
            let path = format!("/conversations/{}/messages", pair.relation.conversation_id);
            let read = pair.relay.call(Method::GET, &path, Some(token), None).await.unwrap();
            assert_eq!((read.status.as_u16(), read.code()), (404, "NOT_FOUND"));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_envelope_has_at_most_a_mebibyte() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let largest = "x".repeat(1 << 20);
        assert_eq!(pair.say("m1", &largest).await.status, 201);
        let larger = pair.say("m2", &format!("{largest}x")).await;
        assert_eq!((larger.status.as_u16(), larger.code()), (413, "ENVELOPE_TOO_LARGE"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_sends_five_messages_in_any_second() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let ids: Vec<String> = (0..30).map(|number| format!("m{number}")).collect();
        let sending = ids.iter().map(|id| pair.answer(id, "artifact"));
        let begun = std::time::Instant::now();
        let answers = futures_util::future::join_all(sending).await;
        let stored = answers.iter().filter(|answer| answer.status == 201).count();
        let seconds = usize::try_from(begun.elapsed().as_secs()).unwrap();
        assert!(stored >= 5 && stored <= 5 * (seconds + 1), "{stored} in {:?}", begun.elapsed());
        let refused = answers.iter().find(|answer| answer.status != 201).unwrap();
        assert_eq!((refused.status.as_u16(), refused.code()), (429, "RATE_LIMITED"));
        assert_eq!(refused.body["error"]["params"]["retry_after"], 1);
        // A message that was stored is answered for, however fast its sender asks again.
        let id = answers.iter().position(|answer| answer.status == 201).unwrap();
        assert_eq!(pair.answer(&ids[id], "artifact").await.status, 200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_makes_sixty_tool_calls_in_any_minute_whatever_happens_to_the_relay() {
    for postgres in [false, true] {
        let mut world = World::start(postgres, |settings| {
            settings.limits.messages_per_second = 1000;
        })
        .await;
        let mut pair = Pair::meet(&world, "ada").await;
        for number in 0..60 {
            let called = pair.answer(&format!("c{number}"), "artifact_tool_call").await;
            assert_eq!(called.status, 201, "{number}");
            if number == 30 {
                world = world.restarted().await;
                pair.relay = Address(world.address());
            }
        }
        let over = pair.answer("c60", "artifact_tool_call").await;
        assert_eq!((over.status.as_u16(), over.code()), (429, "RATE_LIMITED"));
        assert_eq!(pair.answer("t1", "text").await.status, 201, "other messages go on");
        world.advance(Duration::from_secs(61));
        assert_eq!(pair.answer("c60", "artifact_tool_call").await.status, 201);
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_waits_for_a_message_and_acknowledges_the_ones_before() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let poll = |after: u64, wait: u64| {
            let path = format!(
                "/agents/{}/messages/poll?after={after}&wait_s={wait}",
                pair.agent.agent_id
            );
            let token = pair.agent.token.clone();
            async move { pair.relay.call(Method::GET, &path, Some(&token), None).await.unwrap() }
        };
        let established = poll(0, 0).await;
        let last = established.data()[0]["event_id"].as_u64().unwrap();
        assert_eq!(established.data()[0]["type"], "relation.established");
        assert_eq!(poll(last, 0).await.data().as_array().unwrap().len(), 0);
        let (waited, _) = tokio::join!(poll(last, 20), async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            pair.say("m1", "hello").await
        });
        assert_eq!(waited.data()[0]["type"], "message.new");
        assert_eq!(waited.data()[0]["data"]["client_message_id"], "m1");
        let other = Person::register(pair.relay, "eve").await;
        let eves = other.create_agent(pair.relay, "eves", json!({})).await;
        let path = format!("/agents/{}/messages/poll", pair.agent.agent_id);
        let refused = pair.relay.call(Method::GET, &path, Some(&eves.token), None).await.unwrap();
        assert_eq!(refused.status, 403);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_that_waits_ends_like_a_new_request_when_its_agent_may_not_ask_any_more() {
    on_both(async |world| {
        let pair = Pair::meet(world, "ada").await;
        let poll = async |after: u64| {
            let id = &pair.agent.agent_id;
            let path = format!("/agents/{id}/messages/poll?after={after}&wait_s=20");
            let token = Some(pair.agent.token.as_str());
            pair.relay.call(Method::GET, &path, token, None).await.unwrap()
        };
        let last = poll(0).await.data()[0]["event_id"].as_u64().unwrap();
        let suspend = format!("/admin/agents/{}/suspend", pair.agent.agent_id);
        let (waited, ()) = tokio::join!(poll(last), async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            world.operate(Method::POST, &suspend, None).await.data();
            assert_eq!(pair.say("m1", "not for a suspended agent").await.status, 201);
        });
        assert_eq!((waited.status.as_u16(), waited.code()), (403, "FORBIDDEN"));
        let new = poll(last).await;
        assert_eq!(waited.body["error"]["message"], new.body["error"]["message"]);

        let restore = format!("/admin/agents/{}/restore", pair.agent.agent_id);
        world.operate(Method::POST, &restore, None).await.data();
        let last = poll(last).await.data()[0]["event_id"].as_u64().unwrap();
        let (waited, ()) = tokio::join!(poll(last), async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            let path = format!("/agents/{}", pair.agent.agent_id);
            let token = Some(pair.person.token.as_str());
            let gone = pair.relay.call(Method::DELETE, &path, token, None).await.unwrap();
            assert!(gone.status.is_success(), "{gone:?}");
        });
        assert_eq!((waited.status.as_u16(), waited.code()), (401, "UNAUTHENTICATED"));
    })
    .await;
}
