//! Senders who never give up, and a reader who notices every gap and every repetition.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use assent_test_relay::{Address, Agent, Person, Relation, Socket};
use serde_json::json;
use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{Instant, sleep, timeout_at},
};

/// A person who sends to an agent, and everything that was observed.
pub(crate) struct Load {
    pub(crate) person: Person,
    pub(crate) agent: Agent,
    pub(crate) relation: Relation,
    seen: Arc<Mutex<Seen>>,
    /// Where the relay is, or nowhere.
    relay: watch::Sender<Option<Address>>,
    stop: watch::Sender<bool>,
    senders: Vec<JoinHandle<()>>,
    reader: Option<JoinHandle<()>>,
}

/// What was observed.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The place of every message that was acknowledged to its sender.
    pub(crate) acknowledged: BTreeMap<String, u64>,
    /// Every message that the agent has handled.
    pub(crate) handled: BTreeSet<String>,
    /// The last event that the agent has handled.
    pub(crate) cursor: u64,
    /// What must not happen.
    pub(crate) wrong: Vec<String>,
    /// Refusals that tell the sender to come back.
    pub(crate) unavailable: u64,
}

impl Seen {
    fn all_handled(&self) -> bool {
        self.acknowledged.keys().all(|id| self.handled.contains(id))
    }
}

impl Load {
    /// Registers a person and an agent, and puts them in touch.
    pub(crate) async fn prepare(relay: Address) -> Self {
        let person = Person::register(relay, "ada").await;
        let agent = person.create_agent(relay, "reader", json!({})).await;
        let relation = person.relate(relay, &agent).await;
        Self {
            person,
            agent,
            relation,
            seen: Arc::default(),
            relay: watch::channel(Some(relay)).0,
            stop: watch::channel(false).0,
            senders: Vec::new(),
            reader: None,
        }
    }

    /// Starts `senders` senders and one reader.
    pub(crate) fn start(&mut self, senders: usize) {
        for number in 0..senders {
            let sender = Sender {
                person: self.person.clone(),
                way: if number % 2 == 0 { Way::Requests } else { Way::Socket(None) },
                relation: self.relation.clone(),
                seen: Arc::clone(&self.seen),
                relay: self.relay.subscribe(),
                stop: self.stop.subscribe(),
            };
            self.senders.push(tokio::spawn(sender.run(number)));
        }
        let reading = read(self.agent.clone(), Arc::clone(&self.seen), self.relay.subscribe());
        self.reader = Some(tokio::spawn(reading));
    }

    /// Publishes the current address of the relay.
    pub(crate) fn moved(&self, relay: Option<Address>) {
        self.relay.send_replace(relay);
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap()
    }

    /// Stops the senders, waits until everything that was acknowledged has been handled, and checks
    /// all of it.
    pub(crate) async fn finish(mut self, relay: Address, within: Duration) -> Seen {
        let end = Instant::now() + within;
        self.stop.send_replace(true);
        // What must arrive is known only when no more acknowledgments can come.
        for mut sender in std::mem::take(&mut self.senders) {
            if timeout_at(end, &mut sender).await.is_err() {
                sender.abort();
                let _ = sender.await;
            }
        }
        while !self.seen().all_handled() && Instant::now() < end {
            sleep(Duration::from_millis(20)).await;
        }
        if let Some(reader) = self.reader.take() {
            reader.abort();
            let _ = reader.await;
        }
        let seen = std::mem::take(&mut *self.seen.lock().unwrap());
        assert!(seen.wrong.is_empty(), "{:?}", seen.wrong);
        for id in seen.acknowledged.keys() {
            assert!(seen.handled.contains(id), "{id} was acknowledged and never arrived");
        }
        check_history(relay, &self.person, &self.relation, &seen).await;
        seen
    }
}

/// Numbers have no gaps, and every message has the number that its sender got.
async fn check_history(relay: Address, person: &Person, relation: &Relation, seen: &Seen) {
    let mut person = person.clone();
    person.log_in(relay).await.unwrap();
    let places = history(relay, &person, relation).await;
    for (id, place) in &seen.acknowledged {
        assert_eq!(places.get(id), Some(place), "{id}");
    }
}

/// The place of every message of a conversation, whose numbers have no holes.
pub(crate) async fn history(
    relay: Address,
    person: &Person,
    relation: &Relation,
) -> BTreeMap<String, u64> {
    let (mut after, mut places) = (0, BTreeMap::new());
    loop {
        let path = format!(
            "/conversations/{}/messages?after_seq={after}&limit=200",
            relation.conversation_id
        );
        let page = relay.call(http::Method::GET, &path, Some(&person.token), None).await.unwrap();
        let messages = page.data().as_array().unwrap().clone();
        if messages.is_empty() {
            return places;
        }
        for message in messages {
            after += 1;
            assert_eq!(message["conversation_seq"], after, "numbers have no holes");
            let id = message["client_message_id"].as_str().unwrap().to_owned();
            assert!(places.insert(id, after).is_none(), "a message is stored once");
        }
    }
}

/// Who sends does not want to hear of what was.
const LATEST: u64 = 1 << 40;

/// What was acknowledged to a sender.
enum Sent {
    /// The place of the message.
    Stored(u64),
    /// Why it is not stored.
    Refused(String),
}

/// How a sender sends.
enum Way {
    /// Each message by a request.
    Requests,
    /// All on a socket, while there is one.
    Socket(Option<Box<Socket>>),
}

struct Sender {
    person: Person,
    way: Way,
    relation: Relation,
    seen: Arc<Mutex<Seen>>,
    relay: watch::Receiver<Option<Address>>,
    stop: watch::Receiver<bool>,
}

impl Sender {
    async fn run(mut self, number: usize) {
        for message in 0_u64.. {
            let id = format!("s{number}-m{message}");
            while !self.send(&id).await {
                sleep(Duration::from_millis(2)).await;
            }
            if *self.stop.borrow() {
                return;
            }
        }
    }

    /// Sends a message; whether its sender knows that it is stored.
    async fn send(&mut self, id: &str) -> bool {
        let relay = *self.relay.borrow();
        let Some(relay) = relay else { return false };
        let sent = match &mut self.way {
            Way::Requests => self.by_request(relay, id).await,
            Way::Socket(_) => self.on_socket(relay, id).await,
        };
        let Some(sent) = sent else { return false };
        match sent {
            Sent::Stored(place) => {
                let mut seen = self.seen.lock().unwrap();
                seen.acknowledged.insert(id.to_owned(), place);
                return true;
            }
            Sent::Refused(code) if code == "STORAGE_UNAVAILABLE" => {
                self.seen.lock().unwrap().unavailable += 1;
            }
            Sent::Refused(code) if ["UNAUTHENTICATED", "TOKEN_EXPIRED"].contains(&&*code) => {
                let _ = self.person.log_in(relay).await;
            }
            Sent::Refused(code) => self.seen.lock().unwrap().wrong.push(format!("{id}: {code}")),
        }
        false
    }

    async fn by_request(&mut self, relay: Address, id: &str) -> Option<Sent> {
        let answer = self.relation.send(relay, &self.person.token, id, id).await.ok()?;
        Some(match answer.status.as_u16() {
            200 | 201 => Sent::Stored(answer.data()["conversation_seq"].as_u64().unwrap()),
            _ => Sent::Refused(answer.code().to_owned()),
        })
    }

    async fn on_socket(&mut self, relay: Address, id: &str) -> Option<Sent> {
        let Way::Socket(open) = &mut self.way else { return None };
        let mut socket = match open.take() {
            Some(socket) => socket,
            None => {
                let connecting = Socket::connect(relay, "human", &self.person.token, Some(LATEST));
                let Ok(socket) = connecting.await else {
                    // The token may have run out.
                    let _ = self.person.log_in(relay).await;
                    return None;
                };
                Box::new(socket)
            }
        };
        let answer = socket.say(&self.relation, id, id).await.ok()?;
        *open = Some(socket);
        Some(match answer["conversation_seq"].as_u64() {
            Some(place) => Sent::Stored(place),
            None => Sent::Refused(answer["error"]["code"].as_str().unwrap().to_owned()),
        })
    }
}

/// Reads events, over and over again, each time from where it was.
async fn read(agent: Agent, seen: Arc<Mutex<Seen>>, relay: watch::Receiver<Option<Address>>) {
    loop {
        let now = *relay.borrow();
        let cursor = seen.lock().unwrap().cursor;
        if let Some(relay) = now
            && let Ok(mut socket) =
                Socket::connect(relay, "agent", &agent.token, Some(cursor)).await
        {
            while let Some(event) = socket.next().await {
                let mut seen = seen.lock().unwrap();
                if event.event_id != seen.cursor + 1 {
                    let text = format!("event {} follows {}", event.event_id, seen.cursor);
                    seen.wrong.push(text);
                }
                seen.cursor = event.event_id;
                if event.kind == "message.new" {
                    let id = event.data["client_message_id"].as_str().unwrap().to_owned();
                    if !seen.handled.insert(id.clone()) {
                        seen.wrong.push(format!("{id} arrived twice"));
                    }
                }
            }
        }
        sleep(Duration::from_millis(5)).await;
    }
}
