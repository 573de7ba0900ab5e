//! What is kept, and for how long.

use std::time::Duration;

use assent_relay_client::StreamEvent;
use assent_test_relay::{Address, Socket};
use http::Method;
use serde_json::Value;

use crate::{
    agent::{events, manifest},
    event_streams::{as_agent, client, next},
    messages::Pair,
    person::Person,
    world::{World, on_both_with},
};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn impatient(settings: &mut assent_relay::Settings) {
    settings.retention.every = Duration::from_millis(50);
    settings.retention.acknowledged = DAY;
    settings.retention.unacknowledged = DAY * 10;
}

impl Pair {
    /// Events of the agent behind one, which acknowledges that one.
    async fn poll(&self, after: u64) -> Vec<Value> {
        let path = format!("/agents/{}/messages/poll?after={after}", self.agent.agent_id);
        self.get(&path).await
    }

    /// The numbers of the messages that are there.
    async fn numbers(&self) -> Vec<u64> {
        let path = format!("/conversations/{}/messages", self.relation.conversation_id);
        let messages = self.get(&path).await;
        messages.iter().map(|message| message["conversation_seq"].as_u64().unwrap()).collect()
    }

    async fn get(&self, path: &str) -> Vec<Value> {
        self.page(path).await["data"].as_array().unwrap().clone()
    }

    async fn page(&self, path: &str) -> Value {
        let token = Some(self.agent.token.as_str());
        self.relay.call(Method::GET, path, token, None).await.unwrap().body
    }

    /// What a socket says first.
    async fn welcome(&self, resume_after: Option<u64>) -> Value {
        let token = &self.agent.token;
        Socket::connect(self.relay, "agent", token, resume_after).await.unwrap().welcome
    }

    /// Waits until exactly these messages are there.
    async fn until_left(&self, numbers: &[u64]) {
        for _ in 0..100 {
            if self.numbers().await == numbers {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{:?} instead of {numbers:?}", self.numbers().await);
    }
}

/// Lets some rounds of forgetting pass.
async fn rounds() {
    tokio::time::sleep(Duration::from_millis(400)).await;
}

async fn meet(world: &World) -> (Pair, Vec<Value>) {
    let pair = Pair::meet(world, "ada").await;
    for number in 1..=3 {
        assert_eq!(pair.say(&format!("m{number}"), "hello").await.status, 201);
    }
    let events = pair.poll(0).await;
    assert_eq!(pair.numbers().await, [1, 2, 3]);
    (pair, events)
}

/// The event that tells of a message.
fn event_of(events: &[Value], seq: u64) -> u64 {
    let about = |event: &&Value| event["data"]["conversation_seq"] == seq;
    events.iter().find(about).unwrap()["event_id"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_handled_is_forgotten_after_a_while_and_what_is_awaited_is_kept() {
    on_both_with(impatient, async |world| {
        let (mut pair, events) = meet(world).await;
        pair.poll(event_of(&events, 2)).await;
        rounds().await;
        assert_eq!(pair.numbers().await, [1, 2, 3], "not old enough");
        world.advance(DAY * 2);
        pair.until_left(&[3]).await;
        let left = pair.poll(0).await;
        assert_eq!(event_of(&left, 3), event_of(&events, 3), "the agent still gets it");
        pair.person.log_in(pair.relay).await.unwrap();
        let next = pair.say("m4", "still there?").await;
        assert_eq!(next.data()["conversation_seq"], 4, "numbers go on");
        pair.until_left(&[3, 4]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_to_events_says_which_event_is_the_first_that_is_kept() {
    on_both_with(impatient, async |world| {
        let (pair, events) = meet(world).await;
        let first = events[0]["event_id"].as_u64().unwrap();
        let poll = format!("/agents/{}/messages/poll", pair.agent.agent_id);
        for path in [poll.as_str(), "/h2a/events"] {
            assert_eq!(pair.page(path).await["first_event_id"], first, "{path}");
        }
        assert_eq!(pair.welcome(None).await["first_event_id"], first);

        let kept = event_of(&events, 3);
        pair.poll(kept - 1).await;
        world.advance(DAY * 2);
        pair.until_left(&[3]).await;
        for path in [poll.as_str(), "/h2a/events"] {
            assert_eq!(pair.page(path).await["first_event_id"], kept, "{path}");
        }
        let behind = pair.welcome(Some(first)).await;
        assert_eq!(
            (&behind["resume_after"], &behind["first_event_id"]),
            (&first.into(), &kept.into())
        );

        world.advance(DAY * 9);
        pair.until_left(&[]).await;
        assert_eq!(pair.page("/h2a/events").await["first_event_id"], kept + 1, "nothing is kept");
        let behind = pair.welcome(None).await;
        assert_eq!(behind["resume_after"], kept - 1, "where its acknowledgements end");
        assert_eq!(behind["first_event_id"], kept + 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_was_away_for_long_learns_which_events_it_has_missed() {
    on_both_with(impatient, async |world| {
        let (pair, events) = meet(world).await;
        let (first, kept) = (events[0]["event_id"].as_u64().unwrap(), event_of(&events, 3));
        pair.poll(kept - 1).await;
        world.advance(DAY * 2);
        pair.until_left(&[3]).await;
        let agent = client(world.address(), &pair.agent.token);
        let mut stream = agent.event_stream(as_agent(&pair, first));
        assert!(matches!(next(&mut stream).await, Ok(StreamEvent::Connected(_))));
        let Ok(StreamEvent::Skipped { first: skipped, last }) = next(&mut stream).await else {
            panic!()
        };
        assert_eq!((skipped.0, last.0), (first + 1, kept - 1));
        let Ok(StreamEvent::Event(event)) = next(&mut stream).await else { panic!() };
        assert_eq!(event.event_id.0, kept);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_device_begins_with_the_first_event_that_is_kept() {
    on_both_with(impatient, async |world| {
        let (mut pair, _) = meet(world).await;
        world.advance(DAY * 11);
        pair.until_left(&[]).await;
        pair.person.log_in(pair.relay).await.unwrap();
        assert_eq!(pair.say("m4", "hello").await.status, 201);
        let mut socket =
            Socket::connect(pair.relay, "human", &pair.person.token, None).await.unwrap();
        let event = socket.next_within(Duration::from_secs(20)).await.unwrap().event_id;
        assert!(event > 1, "the first events were deleted");
        assert_eq!(socket.welcome["resume_after"], event - 1);
        assert_eq!(socket.welcome["first_event_id"], event);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_never_fetched_is_deleted_in_the_end() {
    on_both_with(impatient, async |world| {
        let (pair, events) = meet(world).await;
        world.advance(DAY * 9);
        rounds().await;
        assert_eq!(pair.numbers().await, [1, 2, 3], "somebody may still come");
        world.advance(DAY * 2);
        pair.until_left(&[]).await;
        assert_eq!(pair.poll(0).await, Vec::<Value>::new());
        let last = event_of(&events, 3);
        let path = format!("/agents/{}/messages/poll?after={last}", pair.agent.agent_id);
        assert_eq!(pair.get(&path).await, Vec::<Value>::new(), "an old place is still a place");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_into_one_step_is_forgotten_in_several() {
    on_both_with(impatient, async |world| {
        let pair = Pair::meet(world, "ada").await;
        let mut last = 0;
        for number in 1..=520 {
            assert_eq!(pair.say(&format!("m{number}"), "hello").await.status, 201);
        }
        while let Some(event) = pair.poll(last).await.last() {
            last = event["event_id"].as_u64().unwrap();
        }
        world.advance(DAY * 2);
        pair.until_left(&[]).await;
        assert_eq!(pair.poll(0).await, Vec::<Value>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_of_a_clock_that_was_behind_leaves_no_hole() {
    let world = World::start(false, impatient).await;
    let mut pair = Pair::meet(&world, "ada").await;
    pair.say("m1", "on time").await;
    world.advance(DAY * 5);
    pair.person.log_in(pair.relay).await.unwrap();
    pair.say("m2", "from a clock that is ahead").await;
    world.set_back(DAY * 5);
    let world = world.restarted().await;
    pair.relay = Address(world.address());
    pair.person.log_in(pair.relay).await.unwrap();
    assert_eq!(pair.say("m3", "on time again").await.data()["conversation_seq"], 3);
    let events = pair.poll(0).await;
    pair.poll(event_of(&events, 3)).await;
    world.advance(DAY * 2);
    pair.until_left(&[2, 3]).await;
    rounds().await;
    assert_eq!(pair.numbers().await, [2, 3]);
    let left = pair.poll(0).await;
    let left: Vec<u64> = left.iter().map(|event| event["event_id"].as_u64().unwrap()).collect();
    assert_eq!(left, [event_of(&events, 2), event_of(&events, 3)], "events have no holes either");
    world.stop().await;
}

/// Acknowledges all events of a person, on one device.
async fn acknowledge_all(person: &Person, device_id: &str) {
    let told = events(&person.client, &person.token).await;
    let last = told.last().unwrap()["event_id"].as_u64().unwrap();
    let mut socket = person.socket(Some(device_id)).await;
    socket.expect("auth.ok").await;
    socket.acknowledge(last).await;
    // Written down when the connection ends.
    for _ in &told {
        socket.next().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_was_away_holds_back_what_it_has_not_seen() {
    on_both_with(impatient, async |world| {
        let ada = world.person("ada").await;
        let desk = ada.logged_in_again().await.device().await;
        let helper = world.agent(&ada, manifest(&[("read", "files:read")])).await;
        let phone = world.relation(&ada, &helper).await.device;
        acknowledge_all(&ada, &phone.device_id).await;
        world.advance(DAY * 2);
        rounds().await;
        let ada = ada.logged_in_again().await;
        let waiting = events(&ada.client, &ada.token).await;
        assert!(waiting.iter().any(|event| event["type"] == "relation.established"), "{waiting:?}");
        acknowledge_all(&ada, &desk.device_id).await;
        for _ in 0..100 {
            if events(&ada.client, &ada.token).await.is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("nothing was forgotten");
    })
    .await;
}
