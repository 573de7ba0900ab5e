//! A relay, an agent, a device with that agent, and its console.

use std::{path::PathBuf, time::Duration};

use assent_agent::{Agent, AgentOptions, CallError, ToolRequest};
use assent_console::{Console, ConsoleOptions};
use assent_device::{Device, DeviceOptions};
use assent_ids::ConversationId;
use assent_relay::{Server, Settings};
use assent_relay_api::{
    operations::{
        accounts::{NewAccount, Register},
        agents::{CreateAgent, CreatedAgent, NewAgent},
    },
    value::{NewPassword, Secret},
};
use assent_relay_client::{Client, Credentials};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::UnixStream,
};

/// No wait of a test is longer.
const PATIENT: Duration = Duration::from_secs(30);

pub(crate) struct Scene {
    pub(crate) agent: Agent,
    pub(crate) conversation: ConversationId,
    pub(crate) root: PathBuf,
    console: Console,
    relay: Server,
    directory: TempDir,
}

pub(crate) fn manifest() -> Value {
    let path = json!({
        "type": "object",
        "properties": { "path": { "type": "string" } },
        "required": ["path"],
        "additionalProperties": false,
    });
    json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": [{
            "name": "read_file",
            "description_i18n_key": "agent.test.read_file",
            "input_schema": path,
            "permission_scope": "filesystem:read",
        }],
        "permission_scopes": [{
            "id": "filesystem:read",
            "label_i18n_key": "scope.files",
            "sensitivity": "medium",
        }],
        "capability_flags": {},
    })
}

async fn create_agent(url: &str) -> CreatedAgent {
    let client = Client::new(url, Credentials::None).unwrap();
    let password = Secret::from("a long password".to_owned());
    let owner = NewAccount {
        email: "owner@example.org".to_owned().try_into().unwrap(),
        account_password: NewPassword::try_from(password).unwrap(),
        display_name: "Owner".to_owned().try_into().unwrap(),
        device_locale: None,
        cookie: Some(false),
    };
    let session = client.call::<Register>(&(), &(), &owner).await.unwrap();
    let client = client.with_credentials(Credentials::Bearer(session.access_token));
    let agent = json!({ "name": "helper", "capability_manifest": manifest() });
    let agent: NewAgent = serde_json::from_value(agent).unwrap();
    client.call::<CreateAgent>(&(), &(), &agent).await.unwrap()
}

impl Scene {
    pub(crate) async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("notes.md"), "marker").unwrap();
        let mut settings = Settings::new(directory.path().join("relay"));
        settings.listen = ([127, 0, 0, 1], 0).into();
        let relay = Server::start(settings).await.unwrap();
        let url = format!("http://{}", relay.address());
        let created = create_agent(&url).await;
        let options = AgentOptions::new(&url, created.agent_id, created.token.expose());
        let options = options.directory(directory.path().join("agent"));
        let agent = Agent::connect(options).await.unwrap();
        let mut options = DeviceOptions::new(directory.path().join("device"), &url);
        options.roots = vec![root.clone()];
        let device = Device::open(options).await.unwrap();
        device.register("you@example.org", "a long password", "You", "laptop").await.unwrap();
        let offer = device.look_up_agent(created.agent_id, None).await.unwrap();
        let grant = offer.grant(vec!["filesystem:read".parse().unwrap()]);
        let conversation = device.add_agent(grant).await.unwrap().conversation_id;
        let control_socket = Some(directory.path().join("control.sock"));
        let options = ConsoleOptions { listen: None, control_socket };
        let console = Console::start(device, options).await.unwrap();
        Self { agent, conversation, root, console, relay, directory }
    }

    /// Sends a request over the Unix socket. Returns the status and the body.
    pub(crate) async fn send(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let mut stream =
            UnixStream::connect(self.directory.path().join("control.sock")).await.unwrap();
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = format!(
            "{method} /api/v1{path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        let read = stream.read_to_string(&mut response);
        tokio::time::timeout(PATIENT, read).await.expect("no response").unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap())
    }

    pub(crate) fn relay_url(&self) -> String {
        format!("http://{}", self.relay.address())
    }

    /// The first of a list, as soon as there is one.
    pub(crate) async fn first(&self, path: &str) -> Value {
        let wait = async {
            loop {
                if let Some(first) = self.get(path).await.get(0) {
                    return first.clone();
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENT, wait).await.expect("the list stays empty")
    }

    /// The data of a resource.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, mut body) = self.send("GET", path, None).await;
        assert_eq!(status, 200, "{path}: {body}");
        body["data"].take()
    }

    pub(crate) async fn call(&self, path: &str) -> Result<Value, CallError> {
        let request = ToolRequest::new("read_file", json!({ "path": path }));
        self.agent.call_tool(self.conversation, request.total_timeout(PATIENT)).await
    }

    /// Calls `read_file`, and answers the prompt.
    pub(crate) async fn call_and_decide(
        &self,
        path: &str,
        decision: &str,
    ) -> Result<Value, CallError> {
        tokio::join!(self.call(path), self.decide(decision)).0
    }

    async fn decide(&self, decision: &str) {
        let wait = async {
            loop {
                let prompts = self.get("/prompts").await;
                let Some(prompt) = prompts.get(0) else {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                };
                let id = prompt["prompt_id"].as_str().unwrap();
                let answer = json!({
                    "decision": decision,
                    "view_digest": prompt["view"]["digest"],
                    "shown": "all",
                });
                let path = format!("/prompts/{id}/answer");
                match self.send("POST", &path, Some(answer)).await {
                    (200, _) => return,
                    (425, _) => tokio::time::sleep(Duration::from_millis(100)).await,
                    refused => panic!("{refused:?}"),
                }
            }
        };
        tokio::time::timeout(PATIENT, wait).await.expect("no prompt was opened");
    }

    pub(crate) async fn end(self) {
        drop(self.agent);
        self.console.stop().await;
        self.relay.stop().await;
    }
}
