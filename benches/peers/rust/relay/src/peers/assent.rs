//! `assent serve`

use std::{
    io::{Read as _, Write as _},
    path::Path,
    process::Command,
};

use assent_bench_harness::Request;
use assent_test_relay::{Address, Agent, Person, Relation};
use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use super::{Talk, Topic, durable::Appender, postgres::Postgres};
use crate::{
    pool::{Framed, Opening, Step},
    programs::program,
    server::{Server, on_its_core},
    speech::{http, websocket},
};

/// What an event with a message for many sockets has, as a text. The gate sees whether it still does.
pub(crate) const EVENT_BYTES: usize = 618;

/// What is in that message, before base64.
const NOTICE_BYTES: usize = 192;

/// Sockets are spread over so many agents.
const AGENTS: usize = 10;

/// Everything that a server stands on: its data, and who drives its clients while they are set up.
pub(crate) struct Ground {
    pub(crate) data: TempDir,
    runtime: Runtime,
}

/// The command of a server on a directory, with limits that no case reaches.
pub(crate) fn command(mut command: Command, data: &Path) -> Command {
    command.args(["serve", "--listen", "127.0.0.1:0", "--log-level", "warn", "--data"]).arg(data);
    for (limit, value) in [("SOCKETS_PER_PARTY", "32768"), ("REGISTRATIONS_PER_ADDRESS", "1000000")]
    {
        command.env(format!("ASSENT_LIMITS_{limit}"), value);
    }
    // One thread for what is served; the store has its own.
    command.env("TOKIO_WORKER_THREADS", "1");
    command
}

impl Ground {
    /// An empty directory on the disk of the cache.
    pub(crate) fn new(request: &Request) -> Self {
        let data = tempfile::tempdir_in(&request.data).expect("a directory");
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        Self { data, runtime }
    }

    /// Starts a server on it, on its core.
    pub(crate) fn start(&self, request: &Request) -> Server {
        self.start_with(request, &[])
    }

    /// The same, with further arguments.
    pub(crate) fn start_with(&self, request: &Request, arguments: &[String]) -> Server {
        let program = program(request, "assent-serve");
        Server::start(command(on_its_core(&program), self.data.path()).args(arguments))
    }

    /// Somebody with an account.
    pub(crate) fn person(&self, server: &Server, name: &str) -> Person {
        self.runtime.block_on(Person::register(Address(server.address), name))
    }

    /// Agents of a person.
    pub(crate) fn agents(&self, server: &Server, owner: &Person, count: usize) -> Vec<Agent> {
        let relay = Address(server.address);
        let make = |number| {
            let name = format!("agent {number}");
            self.runtime.block_on(owner.create_agent(relay, &name, json!({})))
        };
        (0..count).map(make).collect()
    }

    /// Lets a person use an agent.
    pub(crate) fn relate(&self, server: &Server, person: &Person, agent: &Agent) -> Relation {
        self.runtime.block_on(person.relate(Address(server.address), agent))
    }

    /// Asks for a text, without a token.
    pub(crate) fn text(&self, server: &Server, path: &str) -> String {
        let asked = std::net::TcpStream::connect(server.address).and_then(|mut stream| {
            let host = server.address;
            let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
            stream.write_all(head.as_bytes())?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        });
        asked.expect("the relay answers")
    }

    /// Asks for JSON.
    pub(crate) fn call(
        &self,
        server: &Server,
        method: ::http::Method,
        path: &str,
        token: &str,
        body: Option<&Value>,
    ) -> Value {
        let relay = Address(server.address);
        let answer = self.runtime.block_on(relay.call(method, path, Some(token), body));
        answer.expect("the relay answers").data().clone()
    }
}

/// How the socket of an agent begins.
pub(crate) fn socket(server: &Server, agent: &Agent, resume_after: Option<u64>) -> Opening {
    let to = server.address;
    let path = format!("/ws/agent?agent_id={}", agent.agent_id);
    let mut auth = json!({ "type": "auth", "token": agent.token });
    if let Some(event) = resume_after {
        auth["resume_after"] = event.into();
    }
    let auth = Step { say: websocket::text(&auth.to_string()), hear: websocket::frame };
    Opening { to, steps: vec![websocket::upgrade(to, &path), auth], then: websocket::frame }
}

/// A frame that is answered with a short one, filled up with what nobody reads.
pub(crate) fn ping() -> Vec<u8> {
    let empty = json!({ "type": "ping", "padding": "" }).to_string();
    let padding = "x".repeat(websocket::FRAME_BYTES - empty.len());
    websocket::text(&json!({ "type": "ping", "padding": padding }).to_string())
}

pub(crate) fn talk(request: &Request) -> Talk {
    let ground = Ground::new(request);
    let server = ground.start(request);
    let owner = ground.person(&server, "owner");
    let agents = ground.agents(&server, &owner, AGENTS);
    let openings: Vec<_> = agents.iter().map(|agent| socket(&server, agent, None)).collect();
    let opening = move |index: usize| openings[index % AGENTS].clone();
    Talk { server, opening: Box::new(opening), request: ping(), _kept: Some(ground) }
}

/// How a person sends messages.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// Each by a request of its own.
    Requests,
    /// On the socket on which the person hears of everything else.
    Socket,
}

/// Sends messages to a conversation, each with another number.
pub(crate) struct Letter {
    head: Vec<u8>,
    before: String,
    after: String,
}

impl Letter {
    /// Messages of a person with this content, before it is written as base64.
    pub(crate) fn new(
        way: Way,
        server: &Server,
        person: &Person,
        relation: &Relation,
        body: &str,
    ) -> Self {
        let conversation = &relation.conversation_id;
        let envelope = BASE64.encode(body);
        let before = match way {
            Way::Requests => "{\"client_message_id\":\"m".to_owned(),
            Way::Socket => format!(
                "{{\"type\":\"message.send\",\"conversation_id\":\"{conversation}\",\
                 \"client_message_id\":\"m"
            ),
        };
        let after = format!(
            "\",\"msg_subtype\":\"text\",\"content_type\":\"text\",\"envelope\":\"{envelope}\"}}"
        );
        let length = before.len() + DIGITS + after.len();
        let head = match way {
            Way::Requests => {
                let path = format!("/conversations/{conversation}/messages");
                http::request(server.address, "POST", &path, &person.token, length)
            }
            Way::Socket => websocket::head(length),
        };
        Self { head, before, after }
    }

    /// Writes the message with a number.
    pub(crate) fn write(&self, number: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.head);
        out.extend_from_slice(self.before.as_bytes());
        out.extend_from_slice(format!("{number:0DIGITS$}").as_bytes());
        out.extend_from_slice(self.after.as_bytes());
    }
}

const DIGITS: usize = 12;

/// How the connection begins on which a person sends.
pub(crate) fn sender(way: Way, server: &Server, person: &Person) -> Opening {
    match way {
        Way::Requests => requests(server),
        Way::Socket => {
            let to = server.address;
            let auth = json!({ "type": "auth", "token": person.token });
            let auth = Step { say: websocket::text(&auth.to_string()), hear: websocket::frame };
            let upgrade = websocket::upgrade(to, "/ws/human");
            Opening { to, steps: vec![upgrade, auth], then: answer }
        }
    }
}

/// Finds the end of an answer on a socket; events are for somebody else.
fn answer(bytes: &[u8]) -> Framed {
    match websocket::frame(bytes) {
        Framed::Whole(length) if websocket::payload(&bytes[..length]).contains("\"event_id\"") => {
            Framed::Skip(length)
        }
        framed => framed,
    }
}

/// Whether an answer says that a message is stored.
fn is_accepted(way: Way, answer: &[u8]) -> bool {
    match way {
        Way::Requests => http::status(answer) == 201,
        Way::Socket => websocket::payload(answer).starts_with("{\"type\":\"message.sent\""),
    }
}

/// A connection for requests.
pub(crate) fn requests(server: &Server) -> Opening {
    Opening { to: server.address, steps: Vec::new(), then: http::response }
}

pub(crate) fn topic(request: &Request) -> Topic {
    let ground = Ground::new(request);
    let server = ground.start(request);
    let owner = ground.person(&server, "owner");
    let agents = ground.agents(&server, &owner, 1);
    let relation = ground.relate(&server, &owner, &agents[0]);
    // What happened before is not for those who connect later.
    let notice = "x".repeat(NOTICE_BYTES);
    let letter = Letter::new(Way::Socket, &server, &owner, &relation, &notice);
    let publication = move |number| {
        let mut out = Vec::new();
        letter.write(number, &mut out);
        out
    };
    Topic {
        subscriber: socket(&server, &agents[0], Some(u64::from(u32::MAX))),
        publisher: sender(Way::Socket, &server, &owner),
        publication: Box::new(publication),
        server,
        _kept: Some(ground),
    }
}

/// People who write to an agent each, with the store that the relay has by itself or with PostgreSQL.
pub(crate) struct Relay {
    way: Way,
    server: Server,
    senders: Vec<(Person, Relation)>,
    letters: Vec<Letter>,
    ground: Ground,
    postgres: Option<Postgres>,
}

impl Relay {
    pub(crate) fn new(
        way: Way,
        request: &Request,
        senders: usize,
        postgres: Option<Postgres>,
    ) -> Self {
        let ground = Ground::new(request);
        let server = ground.start_with(request, &store(postgres.as_ref()));
        let owner = ground.person(&server, "owner");
        let agents = ground.agents(&server, &owner, senders.min(AGENTS));
        let senders: Vec<_> = (0..senders)
            .map(|number| {
                let person = ground.person(&server, &format!("sender{number}"));
                let relation = ground.relate(&server, &person, &agents[number % agents.len()]);
                (person, relation)
            })
            .collect();
        let body = "x".repeat(crate::cases::BODY_BYTES);
        let letters = senders
            .iter()
            .map(|(person, relation)| Letter::new(way, &server, person, relation, &body))
            .collect();
        Self { way, server, senders, letters, ground, postgres }
    }

    fn count(&self, person: &Person, relation: &Relation) -> usize {
        let path = format!("/conversations/{}/messages?limit=100", relation.conversation_id);
        let page = self.ground.call(&self.server, ::http::Method::GET, &path, &person.token, None);
        page.as_array().unwrap_or_else(|| panic!("no messages in {page}")).len()
    }
}

fn store(postgres: Option<&Postgres>) -> Vec<String> {
    postgres.map_or_else(Vec::new, |postgres| vec!["--database".to_owned(), postgres.url()])
}

impl Appender for Relay {
    fn servers(&self) -> Vec<&Server> {
        let store = self.postgres.iter().flat_map(Appender::servers);
        std::iter::once(&self.server).chain(store).collect()
    }

    fn opening(&self, number: usize) -> Opening {
        sender(self.way, &self.server, &self.senders[number].0)
    }

    fn write(&self, sender: usize, number: usize, _body: &str, out: &mut Vec<u8>) {
        self.letters[sender].write(number, out);
    }

    fn is_accepted(&self, reply: &[u8]) -> bool {
        is_accepted(self.way, reply)
    }

    fn found_after_crash(&mut self, request: &Request) -> usize {
        self.server.kill();
        self.server = self.ground.start_with(request, &store(self.postgres.as_ref()));
        let senders = self.senders.iter();
        senders.map(|(person, relation)| self.count(person, relation)).sum()
    }
}
