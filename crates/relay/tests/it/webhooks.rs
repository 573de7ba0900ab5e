//! Agents that are called: every event arrives, signed, however long it takes.

use std::{
    collections::VecDeque,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use assent_test_relay::{Address, Agent, Person, Relation};
use assent_test_servers::python_with;
use axum::{Router, body::Bytes, extract::State, http::HeaderMap, routing::post};
use http::{Method, StatusCode, header};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::world::{World, on_both_with};

/// A receiver of calls that answers them as the test says.
#[derive(Clone, Default)]
pub(crate) struct Receiver {
    calls: Arc<Mutex<Vec<Call>>>,
    /// The next answers; when there are none left, 204.
    answers: Arc<Mutex<VecDeque<StatusCode>>>,
    healthy: Arc<Mutex<bool>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    id: String,
    timestamp: String,
    signature: String,
    body: Bytes,
}

impl Call {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Receiver {
    /// Listens, and says where.
    pub(crate) async fn listen(&self) -> String {
        let router = Router::new()
            .route("/hook", post(receive))
            .route("/health", axum::routing::get(health))
            .with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        origin
    }

    fn answer(&self, statuses: &[u16]) {
        let statuses = statuses.iter().map(|status| StatusCode::from_u16(*status).unwrap());
        self.answers.lock().unwrap().extend(statuses);
    }

    fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    /// Waits until there were so many calls.
    pub(crate) async fn wait_for(&self, count: usize) -> Vec<Call> {
        for _ in 0..1000 {
            if self.calls().len() >= count {
                return self.calls();
            }
            sleep(Duration::from_millis(10)).await;
        }
        panic!("{} calls instead of {count}", self.calls().len());
    }
}

async fn receive(
    State(receiver): State<Receiver>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, HeaderMap) {
    let text = |name: &str| headers[name].to_str().unwrap().to_owned();
    let call = Call {
        id: text("webhook-id"),
        timestamp: text("webhook-timestamp"),
        signature: text("webhook-signature"),
        body,
    };
    receiver.calls.lock().unwrap().push(call);
    let status = receiver.answers.lock().unwrap().pop_front().unwrap_or(StatusCode::NO_CONTENT);
    let mut headers = HeaderMap::new();
    if status.is_redirection() {
        headers.insert(header::LOCATION, "/elsewhere".parse().unwrap());
    }
    (status, headers)
}

async fn health(State(receiver): State<Receiver>) -> StatusCode {
    let well = *receiver.healthy.lock().unwrap();
    if well { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

/// A person and an agent that is called.
pub(crate) struct Called {
    pub(crate) relay: Address,
    pub(crate) person: Person,
    pub(crate) agent: Agent,
    relation: Relation,
}

impl Called {
    pub(crate) async fn meet(world: &World, origin: &str) -> Self {
        let relay = Address(world.address());
        let person = Person::register(relay, "ada").await;
        let more = json!({
            "connection_mode": "webhook",
            "webhook_url": format!("{origin}/hook"),
            "health_check_url": format!("{origin}/health"),
        });
        let agent = person.create_agent(relay, "called", more).await;
        let relation = person.relate(relay, &agent).await;
        Self { relay, person, agent, relation }
    }

    pub(crate) async fn say(&self, id: &str) {
        let sent = self.relation.send(self.relay, &self.person.token, id, "hello").await.unwrap();
        assert_eq!(sent.status, 201);
    }

    async fn get(&self, path: &str) -> assent_test_relay::Answer {
        let path = format!("/agents/{}{path}", self.agent.agent_id);
        self.relay.call(Method::GET, &path, Some(&self.person.token), None).await.unwrap()
    }

    async fn post(&self, path: &str) -> assent_test_relay::Answer {
        let path = format!("/agents/{}{path}", self.agent.agent_id);
        self.relay.call(Method::POST, &path, Some(&self.person.token), None).await.unwrap()
    }

    async fn wait_for_state(&self, delivery: &str, state: &str) -> Value {
        for _ in 0..300 {
            let list = self.get("/webhooks/deliveries").await;
            let deliveries = list.data().as_array().unwrap();
            let found = deliveries.iter().find(|one| one["delivery_id"] == delivery).unwrap();
            if found["state"] == state {
                return found.clone();
            }
            sleep(Duration::from_millis(20)).await;
        }
        panic!("{delivery} does not become {state}");
    }

    /// Waits until the outcome of attempt number `attempts` of a pending delivery is stored.
    async fn wait_for_attempts(&self, delivery: &str, attempts: u32) -> Value {
        for _ in 0..300 {
            let pending = self.wait_for_state(delivery, "pending").await;
            if pending["attempts"] == attempts {
                return pending;
            }
            sleep(Duration::from_millis(10)).await;
        }
        panic!("attempt {attempts} of {delivery} is not recorded");
    }
}

/// Runs a test with a receiver that the relay may call.
async fn with_receiver(test: impl AsyncFn(&World, &Receiver, &str)) {
    for postgres in [false, true] {
        let receiver = Receiver::default();
        let origin = receiver.listen().await;
        let world = World::start(postgres, |settings| {
            settings.webhook_allow = origin.parse().unwrap();
        })
        .await;
        test(&world, &receiver, &origin).await;
        world.stop().await;
    }
}

/// Asks the library that receivers use whether it takes a call for genuine.
pub(crate) fn verified_by_a_receiver(secret: &str, call: &Call) -> bool {
    let script = "import json, sys
from standardwebhooks.webhooks import Webhook
case = json.load(sys.stdin)
Webhook(case['secret']).verify(case['body'], case['headers'])";
    let case = json!({
        "secret": secret,
        "body": String::from_utf8(call.body.to_vec()).unwrap(),
        "headers": {
            "webhook-id": call.id,
            "webhook-timestamp": call.timestamp,
            "webhook-signature": call.signature,
        },
    });
    let mut child = Command::new(python_with(
        Path::new(env!("CARGO_TARGET_TMPDIR")),
        &["standardwebhooks==1.1.0"],
    ))
    .args(["-c", script])
    .stdin(Stdio::piped())
    .stderr(Stdio::null())
    .spawn()
    .unwrap();
    child.stdin.take().unwrap().write_all(case.to_string().as_bytes()).unwrap();
    child.wait().unwrap().success()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_event_of_an_agent_is_delivered_and_a_receiver_takes_it_for_genuine() {
    with_receiver(async |world, receiver, origin| {
        let called = Called::meet(world, origin).await;
        called.say("m1").await;
        let calls = receiver.wait_for(2).await;
        let mut kinds: Vec<String> =
            calls.iter().map(|call| call.json()["type"].as_str().unwrap().to_owned()).collect();
        kinds.sort();
        assert_eq!(kinds, ["message.new", "relation.established"]);
        let message = calls.iter().find(|call| call.json()["type"] == "message.new").unwrap();
        assert_eq!(message.json()["data"]["client_message_id"], "m1");
        assert!(message.json()["timestamp"].as_str().unwrap().ends_with('Z'));
        let secret = called.agent.webhook_secret.clone().unwrap();
        assert!(verified_by_a_receiver(&secret, message));
        let forged = Call { body: Bytes::from_static(b"{}"), ..message.clone() };
        assert!(!verified_by_a_receiver(&secret, &forged));
        let delivered = called.wait_for_state(&message.id, "delivered").await;
        assert_eq!(delivered["attempts"], 1);
        assert_eq!(delivered["last_attempt"]["http_status"], 204);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_fails_is_made_again_after_five_seconds_under_the_same_id() {
    with_receiver(async |world, receiver, origin| {
        receiver.answer(&[500]);
        let called = Called::meet(world, origin).await;
        let first = receiver.wait_for(1).await[0].clone();
        let pending = called.wait_for_state(&first.id, "pending").await;
        for _ in 0..200 {
            if called.wait_for_state(&first.id, "pending").await["attempts"] == 1 {
                break;
            }
            sleep(Duration::from_millis(10)).await;
        }
        assert!(pending["next_attempt_at"].is_string());
        sleep(Duration::from_millis(500)).await;
        assert_eq!(receiver.calls().len(), 1, "not yet");
        world.advance(Duration::from_secs(7));
        let calls = receiver.wait_for(2).await;
        assert_eq!(calls[1].id, first.id);
        assert_eq!(calls[1].body, first.body);
        let delivered = called.wait_for_state(&first.id, "delivered").await;
        assert_eq!(delivered["attempts"], 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_wants_no_more_calls_gets_none() {
    with_receiver(async |world, receiver, origin| {
        receiver.answer(&[500]);
        let called = Called::meet(world, origin).await;
        let first = receiver.wait_for(1).await[0].clone();
        let path = format!("/agents/{}", called.agent.agent_id);
        let change = json!({ "connection_mode": "websocket" });
        let token = Some(called.person.token.as_str());
        let changed = called.relay.call(Method::PATCH, &path, token, Some(&change)).await.unwrap();
        assert_eq!(changed.status, 200);
        called.wait_for_state(&first.id, "failed").await;
        called.say("m1").await;
        world.advance(Duration::from_secs(60));
        sleep(Duration::from_millis(500)).await;
        assert_eq!(receiver.calls().len(), 1);
        assert_eq!(called.get("/webhooks/deliveries").await.data().as_array().unwrap().len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_a_failure_and_is_not_followed() {
    with_receiver(async |world, receiver, origin| {
        receiver.answer(&[302]);
        let called = Called::meet(world, origin).await;
        let first = receiver.wait_for(1).await[0].clone();
        for _ in 0..300 {
            let one = called.wait_for_state(&first.id, "pending").await;
            if one["attempts"] == 1 {
                let error = one["last_attempt"]["error"].as_str().unwrap();
                assert!(error.contains("redirects are not followed"), "{error}");
                assert_eq!(receiver.calls().len(), 1);
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
        panic!("the attempt was not recorded");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_can_be_asked_for_again() {
    with_receiver(async |world, receiver, origin| {
        let called = Called::meet(world, origin).await;
        let first = receiver.wait_for(1).await[0].clone();
        called.wait_for_state(&first.id, "delivered").await;
        let before = called.get("/webhooks/deliveries").await.data()[0].clone();
        assert_eq!(before["delivery_id"], first.id);
        let again = called.post(&format!("/webhooks/deliveries/{}/redeliver", first.id)).await;
        assert_eq!(again.data()["state"], "pending");
        assert_eq!(again.data()["created_at"], before["created_at"]);
        let calls = receiver.wait_for(2).await;
        assert_eq!(calls[1].id, first.id);
        let stranger = Person::register(called.relay, "eve").await;
        let path = format!("/agents/{}/webhooks/deliveries", called.agent.agent_id);
        let list = called.relay.call(Method::GET, &path, Some(&stranger.token), None).await;
        assert_eq!(list.unwrap().status, 403);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_that_waits_for_its_retry_is_sent_at_once_when_its_owner_asks() {
    with_receiver(async |world, receiver, origin| {
        receiver.answer(&[500]);
        let called = Called::meet(world, origin).await;
        let first = receiver.wait_for(1).await[0].clone();
        called.wait_for_attempts(&first.id, 1).await;
        let again = called.post(&format!("/webhooks/deliveries/{}/redeliver", first.id)).await;
        assert_eq!((again.status.as_u16(), again.data()["state"].as_str()), (200, Some("pending")));
        let calls = receiver.wait_for(2).await;
        assert_eq!((&calls[1].id, &calls[1].body), (&first.id, &first.body));
        let delivered = called.wait_for_state(&first.id, "delivered").await;
        assert_eq!(delivered["attempts"], 2);
        // The retry that was scheduled before is replaced and does not come on top.
        world.advance(Duration::from_secs(7));
        sleep(Duration::from_millis(500)).await;
        assert_eq!(receiver.calls().len(), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_rotation_both_secrets_sign_for_a_day() {
    with_receiver(async |world, receiver, origin| {
        let called = Called::meet(world, origin).await;
        receiver.wait_for(1).await;
        let old = called.agent.webhook_secret.clone().unwrap();
        let rotated = called.post("/webhook-secret/rotate").await;
        let new = rotated.data()["webhook_secret"].as_str().unwrap().to_owned();
        assert_ne!(old, new);
        called.say("m1").await;
        let both = receiver.wait_for(2).await[1].clone();
        assert!(verified_by_a_receiver(&old, &both) && verified_by_a_receiver(&new, &both));
        world.advance(Duration::from_secs(24 * 60 * 60 + 1));
        let mut person = called.person.clone();
        person.log_in(called.relay).await.unwrap();
        let sent = called.relation.send(called.relay, &person.token, "m2", "x").await.unwrap();
        assert_eq!(sent.status, 201);
        let one = receiver.wait_for(3).await[2].clone();
        assert_eq!(one.signature.split(' ').count(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_was_silent_gets_everything_once_it_is_well() {
    with_receiver(async |world, receiver, origin| {
        receiver.answer(&[503; 40]);
        let called = Called::meet(world, origin).await;
        receiver.wait_for(1).await;
        // Ten minutes of failures make it unreachable.
        world.advance(Duration::from_secs(40 * 60));
        receiver.wait_for(2).await;
        let mut person = called.person.clone();
        person.log_in(called.relay).await.unwrap();
        let failing = receiver.calls().len();
        let sent = called.relation.send(called.relay, &person.token, "m1", "x").await.unwrap();
        assert_eq!(sent.status, 201);
        sleep(Duration::from_millis(500)).await;
        assert!(receiver.calls().len() <= failing + 1, "it is left alone");
        receiver.answers.lock().unwrap().clear();
        *receiver.healthy.lock().unwrap() = true;
        world.advance(Duration::from_secs(31 * 60));
        for _ in 0..1000 {
            let arrived = receiver
                .calls()
                .iter()
                .any(|call| call.json()["data"]["client_message_id"] == "m1");
            if arrived {
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
        panic!("what waited did not arrive");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_inside_are_refused_unless_the_operator_allows_them_by_name() {
    on_both_with(
        |_| {},
        async |world| {
            let relay = Address(world.address());
            let person = Person::register(relay, "ada").await;
            let urls = [
                "http://example.org/hook",
                "http://127.0.0.1:9/hook",
                "https://127.0.0.1/hook",
                "https://localhost/hook",
                "https://[::1]/hook",
                "https://169.254.169.254/latest",
                "https://0x7f000001/",
                "https://user:password@example.org/",
            ];
            for url in urls {
                let body = json!({
                    "name": "a", "connection_mode": "webhook", "webhook_url": url
                });
                let token = Some(person.token.as_str());
                let answer = relay.call(Method::POST, "/agents", token, Some(&body)).await.unwrap();
                assert_eq!(
                    (answer.status.as_u16(), answer.code()),
                    (422, "WEBHOOK_URL_REFUSED"),
                    "{url}"
                );
            }
        },
    )
    .await;
}

/// Starts a receiver that takes calls and never answers, and returns its origin.
async fn silence() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    origin
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_agents_that_hang_do_not_hold_up_one_that_is_well() {
    let receiver = Receiver::default();
    let (well, silent) = (receiver.listen().await, silence().await);
    let world = World::start(false, |settings| {
        settings.webhook_allow = format!("{well},{silent}").parse().unwrap();
        settings.limits.agents = 1000;
    })
    .await;
    let called = Called::meet(&world, &well).await;
    receiver.wait_for(1).await;
    for number in 0..200 {
        let address = json!({ "connection_mode": "webhook", "webhook_url": silent });
        let agent = called.person.create_agent(called.relay, "mute", address).await;
        let relation = called.person.relate(called.relay, &agent).await;
        for message in 0..4 {
            let id = format!("m{number}-{message}");
            let sent = relation.send(called.relay, &called.person.token, &id, "x").await.unwrap();
            assert_eq!(sent.status, 201);
        }
    }
    // A call may hang for 15 seconds; a call that waits for a permit of one of these waits for most of that.
    for number in 0..5 {
        called.say(&format!("well{number}")).await;
        let arrived = tokio::time::timeout(Duration::from_secs(4), receiver.wait_for(number + 2));
        assert!(arrived.await.is_ok(), "message {number} waits for agents that hang");
    }
    world.stop().await;
}
