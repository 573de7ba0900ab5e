//! A Matrix homeserver: what one would take to carry encrypted messages between people.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use assent_bench_harness::Request;
use assent_test_relay::Address;
use http::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use super::{durable::Appender, nats::address};
use crate::{
    pool::Opening,
    programs::program,
    server::{Server, on_its_core},
    speech::http as wire,
};

const MODULE: [&str; 3] = ["-m", "synapse.app.homeserver", "--config-path"];

/// Somebody and their room.
struct Member {
    token: String,
    room: String,
}

pub(crate) struct Synapse {
    server: Server,
    members: Vec<Member>,
    runtime: Runtime,
    data: TempDir,
}

impl Synapse {
    pub(crate) fn start(request: &Request, senders: usize) -> Self {
        let data = tempfile::tempdir_in(&request.data).expect("a directory");
        let server = launch(request, data.path());
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let relay = Address(server.address);
        let join = |number| runtime.block_on(join(relay, number));
        let members = (0..senders).map(join).collect();
        Self { server, members, runtime, data }
    }

    /// Messages in the room of a member; what else happened there is not asked for.
    fn count(&self, member: &Member) -> usize {
        let room = &member.room;
        let filter = "%7B%22types%22%3A%5B%22m.room.encrypted%22%5D%7D";
        let path =
            format!("/_matrix/client/v3/rooms/{room}/messages?dir=b&limit=100&filter={filter}");
        let relay = Address(self.server.address);
        let page = self.runtime.block_on(relay.call(Method::GET, &path, Some(&member.token), None));
        page.expect("Synapse answers").body["chunk"].as_array().map_or(0, Vec::len)
    }
}

/// Registers somebody and makes a room.
async fn join(relay: Address, number: usize) -> Member {
    let account = json!({
        "auth": { "type": "m.login.dummy" },
        "username": format!("sender{number}"),
        "password": "correct horse battery",
    });
    let made = call(relay, "/_matrix/client/v3/register", None, &account).await;
    let token = text(&made, "access_token");
    let room = json!({ "preset": "private_chat" });
    let made = call(relay, "/_matrix/client/v3/createRoom", Some(&token), &room).await;
    let room = text(&made, "room_id").replace('!', "%21").replace(':', "%3A");
    Member { token, room }
}

async fn call(relay: Address, path: &str, token: Option<&str>, body: &Value) -> Value {
    let answer = relay.call(Method::POST, path, token, Some(body)).await;
    answer.expect("Synapse answers").body
}

fn text(answer: &Value, name: &str) -> String {
    answer[name].as_str().unwrap_or_else(|| panic!("no `{name}` in {answer}")).to_owned()
}

/// Starts a server on a directory, with keys that it makes if there are none.
fn launch(request: &Request, data: &Path) -> Server {
    let (python, address) = (program(request, "synapse"), address());
    let file = data.join("homeserver.yaml");
    // JSON is YAML.
    fs::write(&file, configuration(data, address.port()).to_string()).expect("room");
    let keys = Command::new(&python).args(MODULE).arg(&file).arg("--generate-keys").output();
    let keys = keys.expect("Python runs");
    assert!(keys.status.success(), "{}", String::from_utf8_lossy(&keys.stderr));
    let mut command = on_its_core(&python);
    command.args(MODULE).arg(&file).current_dir(data).stderr(Stdio::null());
    Server::start_at(address, &mut command)
}

/// SQLite, no limits, cheap passwords, and no log.
fn configuration(data: &Path, port: u16) -> Value {
    let without_limit = json!({ "per_second": 1e6, "burst_count": 1_000_000 });
    let log = data.join("log.yaml");
    fs::write(&log, json!({ "version": 1, "root": { "level": "ERROR" } }).to_string())
        .expect("room");
    json!({
        "server_name": "localhost",
        "report_stats": false,
        "pid_file": data.join("pid"),
        "log_config": log,
        "media_store_path": data.join("media"),
        "signing_key_path": data.join("signing.key"),
        "trusted_key_servers": [],
        "enable_registration": true,
        "enable_registration_without_verification": true,
        "bcrypt_rounds": 4,
        "rc_message": without_limit,
        "rc_registration": without_limit,
        "listeners": [{
            "port": port, "bind_addresses": ["127.0.0.1"], "type": "http", "tls": false,
            "resources": [{ "names": ["client"] }],
        }],
        "database": { "name": "sqlite3", "args": { "database": data.join("homeserver.db") } },
    })
}

impl Appender for Synapse {
    fn servers(&self) -> Vec<&Server> {
        vec![&self.server]
    }

    fn opening(&self, _sender: usize) -> Opening {
        Opening { to: self.server.address, steps: Vec::new(), then: wire::response }
    }

    fn write(&self, sender: usize, number: usize, body: &str, out: &mut Vec<u8>) {
        let Member { token, room } = &self.members[sender];
        let content = json!({ "algorithm": "m.megolm.v1.aes-sha2", "ciphertext": body });
        let content = content.to_string();
        let path = format!("/_matrix/client/v3/rooms/{room}/send/m.room.encrypted/m{number}");
        out.extend(wire::request(self.server.address, "PUT", &path, token, content.len()));
        out.extend(content.into_bytes());
    }

    fn is_accepted(&self, reply: &[u8]) -> bool {
        wire::status(reply) == 200
    }

    fn found_after_crash(&mut self, request: &Request) -> usize {
        self.server.kill();
        self.server = launch(request, self.data.path());
        self.members.iter().map(|member| self.count(member)).sum()
    }
}
