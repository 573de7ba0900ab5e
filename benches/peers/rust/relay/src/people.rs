//! A store with many people, made once: an account costs a password hash, which is meant to be slow.
//!
//! ```text
//! adapter people DATA_DIRECTORY
//! ```

use std::{
    fs,
    path::Path,
    process::{Command, ExitCode},
    sync::Arc,
};

use assent_bench_harness::Request;
use assent_test_relay::{Address, Agent, Person};
use http::Method;
use serde_json::{Value, json};
use tokio::{runtime::Builder, sync::Semaphore, task::JoinSet};

use crate::{
    peers::assent,
    programs::{program, program_in},
    server::Server,
};

/// The argument that makes this program make the store.
pub(crate) const MAKE: &str = "people";

/// How many people have a relation with each agent.
pub(crate) const SIZES: [usize; 3] = [100, 1_000, 10_000];

/// People who register at a time: the server hashes two passwords at once.
const AT_ONCE: usize = 8;

/// What the agents are called, and how to publish for them.
const AGENTS: &str = "agents.json";

/// Makes the store, unless it is there.
pub(crate) fn make(data: &Path) -> ExitCode {
    let place = program_in(data, "people");
    if place.join(AGENTS).exists() {
        return ExitCode::SUCCESS;
    }
    // Made elsewhere and moved: what is there is whole, also if two of us make it at once.
    let making = place.with_extension(std::process::id().to_string());
    fs::create_dir_all(&making).expect("a directory");
    // On all cores: nothing is measured here.
    let command = Command::new(program_in(data, "assent-serve"));
    let server = Server::start(&mut assent::command(command, &making));
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let agents = runtime.block_on(populate(Address(server.address)));
    // A clean end leaves one file.
    server.stop();
    fs::write(making.join(AGENTS), json!(agents).to_string()).expect("room");
    if fs::rename(&making, &place).is_err() {
        // Somebody else was faster.
        let _ = fs::remove_dir_all(&making);
    }
    ExitCode::SUCCESS
}

/// Makes the agents, and people who each use those that want so many.
async fn populate(relay: Address) -> Vec<Value> {
    let owner = Person::register(relay, "owner").await;
    let mut agents = Vec::new();
    let mut tokens = Vec::new();
    for size in SIZES {
        let agent = owner.create_agent(relay, &format!("agent of {size}"), json!({})).await;
        let path = format!("/agents/{}/tokens", agent.agent_id);
        let scopes = json!({ "scopes": ["manifest:write"] });
        let made = relay.call(Method::POST, &path, Some(&owner.token), Some(&scopes)).await;
        let token = made.expect("the relay answers").data()["token"].clone();
        tokens.push(json!({ "size": size, "agent_id": agent.agent_id, "token": token }));
        agents.push((size, agent));
    }
    let most = SIZES.into_iter().max().unwrap_or_default();
    let (agents, turns) = (Arc::new(agents), Arc::new(Semaphore::new(AT_ONCE)));
    let mut people = JoinSet::new();
    for number in 0..most {
        let turn = Arc::clone(&turns).acquire_owned().await.expect("turns do not end");
        let agents = Arc::clone(&agents);
        people.spawn(async move {
            settle(relay, number, &agents).await;
            drop(turn);
        });
        if number % 500 == 0 {
            eprintln!("{number} of {most} people");
        }
    }
    while let Some(settled) = people.join_next().await {
        settled.expect("everybody settles");
    }
    tokens
}

async fn settle(relay: Address, number: usize, agents: &[(usize, Agent)]) {
    let person = Person::register(relay, &format!("person{number}")).await;
    for (_, agent) in agents.iter().filter(|(size, _)| number < *size) {
        person.relate(relay, agent).await;
    }
}

/// An agent of the store.
pub(crate) struct Popular {
    pub(crate) agent_id: String,
    /// May publish manifests.
    pub(crate) token: String,
}

/// Copies the store to a directory, and says which agent has so many people.
pub(crate) fn copy(request: &Request, to: &Path, people: usize) -> Popular {
    let place = program(request, "people");
    for entry in fs::read_dir(&place).expect("the store was made").flatten() {
        // Neither the socket nor the lock of the server that made it.
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("room");
        }
    }
    let agents = fs::read(place.join(AGENTS)).expect("the store was made");
    let agents: Vec<Value> = serde_json::from_slice(&agents).expect("we wrote it");
    let agent = agents.iter().find(|agent| agent["size"] == people).expect("such an agent");
    let text = |name: &str| agent[name].as_str().expect("we wrote it").to_owned();
    Popular { agent_id: text("agent_id"), token: text("token") }
}
