//! A relay, a device with one agent, and the person.

use std::{fs, path::PathBuf, time::Duration};

use assent_agent::{Agent, AgentOptions, CallError, ToolRequest};
use assent_builtin_tools::Location;
use assent_device::{
    Decision, Device, DeviceOptions, DeviceRelation, Interface, Prompt, PromptAnswer, PromptError,
    Timings,
};
use assent_ids::{Clock as _, ConversationId, RelationId, ScopeId, SystemClock};
use assent_relay::{Server, Settings};
use assent_relay_api::{
    model::Relation,
    operations::{
        accounts::{NewAccount, Register},
        agents::{AgentChanges, CreateAgent, CreatedAgent, NewAgent, UpdateAgent, UpdatedAgent},
        relations::GetRelation,
    },
    path::{AgentPath, RelationPath},
    value::{NewPassword, Secret},
};
use assent_relay_client::{Client, Credentials};
use serde_json::{Value, json};
use tempfile::TempDir;

/// No wait of a test is longer.
const PATIENT: Duration = Duration::from_secs(30);

pub(crate) struct Scene {
    pub(crate) device: Option<Device>,
    pub(crate) agent: Option<Agent>,
    pub(crate) conversation: ConversationId,
    pub(crate) root: PathBuf,
    pub(crate) created: CreatedAgent,
    /// The client of the agent's owner.
    owner: Client,
    url: String,
    timings: Timings,
    pub(crate) unattended: bool,
    relay: Option<Server>,
    directory: TempDir,
}

fn tool(name: &str, scope: &str, schema: &Value) -> Value {
    json!({
        "name": name,
        "description_i18n_key": format!("agent.test.{name}"),
        "input_schema": schema,
        "permission_scope": scope,
    })
}

pub(crate) fn manifest() -> Value {
    let path = json!({
        "type": "object",
        "properties": { "path": { "type": "string" } },
        "required": ["path"],
        "additionalProperties": false,
    });
    let title = json!({
        "type": "object",
        "properties": { "title": { "type": "string" } },
        "required": ["title"],
        "additionalProperties": false,
    });
    let nothing = json!({ "type": "object", "additionalProperties": false });
    json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": [
            tool("read_file", "filesystem:read", &path),
            tool("paint_wall", "filesystem:read", &nothing),
            tool("read_clipboard", "clipboard:read", &nothing),
            tool("get_location", "location:read", &nothing),
            tool("send_notification", "notification:send", &title),
        ],
        "permission_scopes": [
            { "id": "filesystem:read", "label_i18n_key": "scope.files", "sensitivity": "low" },
            { "id": "clipboard:read", "label_i18n_key": "scope.clipboard", "sensitivity": "medium" },
            { "id": "location:read", "label_i18n_key": "scope.location", "sensitivity": "low" },
            { "id": "notification:send", "label_i18n_key": "scope.notify", "sensitivity": "low" },
        ],
        "capability_flags": {},
    })
}

impl Scene {
    pub(crate) async fn new() -> Self {
        Self::with_timings(Timings::default()).await
    }

    /// The agent has every scope except `clipboard:read`.
    pub(crate) async fn with_timings(timings: Timings) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::write(root.join("notes.md"), "marker-in-the-file").unwrap();
        let mut settings = Settings::new(directory.path().join("relay"));
        settings.listen = ([127, 0, 0, 1], 0).into();
        let relay = Server::start(settings).await.unwrap();
        let url = format!("http://{}", relay.address());
        let (created, owner) = create_agent(&url).await;
        let mut scene = Self {
            device: None,
            agent: None,
            conversation: "cnv_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap(),
            root,
            created,
            owner,
            url,
            timings,
            unattended: false,
            relay: Some(relay),
            directory,
        };
        scene.start_agent().await;
        scene.start_device().await;
        let device = scene.device.as_ref().unwrap();
        device.register("you@example.org", "a long password", "You", "laptop").await.unwrap();
        let offer = device.look_up_agent(scene.created.agent_id, None).await.unwrap();
        let scopes = ["filesystem:read", "location:read", "notification:send"];
        let grant = offer.grant(scopes.map(|scope| scope.parse().unwrap()).to_vec());
        scene.conversation = device.add_agent(grant).await.unwrap().conversation_id;
        scene
    }

    pub(crate) async fn start_agent(&mut self) {
        self.start_agent_in("agent").await;
    }

    /// Starts the agent with the keys of this folder.
    pub(crate) async fn start_agent_in(&mut self, folder: &str) {
        let options =
            AgentOptions::new(&self.url, self.created.agent_id, self.created.token.expose());
        let options = options.directory(self.directory.path().join(folder));
        self.agent = Some(Agent::connect(options).await.unwrap());
    }

    pub(crate) async fn start_device(&mut self) {
        let mut options = DeviceOptions::new(self.device_data(), &self.url);
        options.roots = vec![self.root.clone()];
        options.timings = self.timings;
        options.unattended = self.unattended;
        options.location = Some(Location::new(59.91, 10.75, 30.0).unwrap());
        self.device = Some(Device::open(options).await.unwrap());
    }

    /// Publishes another manifest of the agent.
    pub(crate) async fn publish(&self, manifest: Value) -> UpdatedAgent {
        let changes = json!({ "capability_manifest": manifest });
        let changes: AgentChanges = serde_json::from_value(changes).unwrap();
        let path = AgentPath { agent_id: self.created.agent_id };
        self.owner.call::<UpdateAgent>(&path, &(), &changes).await.unwrap()
    }

    /// The relation with the agent, as the device knows it.
    pub(crate) async fn relation(&self) -> DeviceRelation {
        self.device().relations().await.unwrap().pop().unwrap()
    }

    pub(crate) async fn relation_id(&self) -> RelationId {
        self.relation().await.established.unwrap().relation_id
    }

    /// The relation with the agent, as the relay knows it.
    pub(crate) async fn relation_on_relay(&self) -> Relation {
        let path = RelationPath { relation_id: self.relation_id().await };
        let token = Credentials::Bearer(self.created.token.clone());
        let client = Client::new(&self.url, token).unwrap();
        client.call::<GetRelation>(&path, &(), &()).await.unwrap()
    }

    /// Stops the relay.
    pub(crate) async fn stop_relay(&mut self) {
        self.relay.take().unwrap().stop().await;
    }

    /// Starts the relay again, at the same address.
    pub(crate) async fn start_relay(&mut self) {
        let mut settings = Settings::new(self.directory.path().join("relay"));
        settings.listen = self.url.strip_prefix("http://").unwrap().parse().unwrap();
        self.relay = Some(Server::start(settings).await.unwrap());
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn device_data(&self) -> PathBuf {
        self.directory.path().join("device")
    }

    /// Drops the device and waits until another process can open it.
    pub(crate) async fn stop_device(&mut self) {
        drop(self.device.take());
        let wait = async {
            for file in ["device.lock", "journal.db.lock", "device.db.lock"] {
                let file = fs::File::open(self.device_data().join(file)).unwrap();
                while file.try_lock().is_err() {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            }
        };
        tokio::time::timeout(PATIENT, wait).await.expect("the device does not stop");
    }

    pub(crate) fn agent(&self) -> &Agent {
        self.agent.as_ref().unwrap()
    }

    pub(crate) fn device(&self) -> &Device {
        self.device.as_ref().unwrap()
    }

    /// Calls a tool that no question is asked about.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Result<Value, CallError> {
        let request = ToolRequest::new(name, arguments).total_timeout(PATIENT);
        self.agent().call_tool(self.conversation, request).await
    }

    /// Waits for a question.
    pub(crate) async fn prompt(&self) -> Prompt {
        let mut events = self.device().events();
        let wait = async {
            loop {
                if let Some(prompt) = self.device().prompts().into_iter().next() {
                    return prompt;
                }
                events.recv().await.unwrap();
            }
        };
        tokio::time::timeout(PATIENT, wait).await.expect("no question was asked")
    }

    /// Waits for a prompt and answers it on the console.
    pub(crate) async fn answer(&self, decision: Decision) -> Prompt {
        let prompt = self.prompt().await;
        tokio::time::sleep(prompt.answerable_at.since(SystemClock.now())).await;
        self.decide(&prompt, decision).await.unwrap();
        prompt
    }

    /// Answers a prompt now, after its whole view was on screen.
    pub(crate) async fn decide(
        &self,
        prompt: &Prompt,
        decision: Decision,
    ) -> Result<(), PromptError> {
        let view_digest = prompt.view.digest.to_string();
        let answer = PromptAnswer { decision, view_digest, has_shown_all: true };
        self.device().answer_prompt(prompt.prompt_id, answer, Interface::Console).await
    }

    /// Calls a tool and decides about it.
    pub(crate) async fn call_and_decide(
        &self,
        name: &str,
        arguments: Value,
        decision: Decision,
    ) -> Result<Value, CallError> {
        tokio::join!(self.call(name, arguments), self.answer(decision)).0
    }

    /// Whether a file below a directory of the scene contains a text.
    pub(crate) fn contains(&self, folder: &str, text: &str) -> bool {
        fs::read_dir(self.directory.path().join(folder)).unwrap().any(|file| {
            let bytes = fs::read(file.unwrap().path()).unwrap_or_default();
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        })
    }

    pub(crate) async fn end(mut self) {
        drop((self.agent.take(), self.device.take()));
        if let Some(relay) = self.relay.take() {
            relay.stop().await;
        }
    }
}

async fn create_agent(url: &str) -> (CreatedAgent, Client) {
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
    let created = client.call::<CreateAgent>(&(), &(), &agent).await.unwrap();
    (created, client)
}

/// Waits until something is there.
pub(crate) async fn until<T>(mut find: impl AsyncFnMut() -> Option<T>) -> T {
    let wait = async {
        loop {
            if let Some(found) = find().await {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENT, wait).await.expect("it does not happen")
}

/// The ids of scopes.
pub(crate) fn scopes(ids: &[&str]) -> Vec<ScopeId> {
    ids.iter().map(|id| id.parse().unwrap()).collect()
}

/// The status, the reason and the code of an outcome, as an agent sees them.
pub(crate) fn summary(outcome: &Result<Value, CallError>) -> String {
    match outcome {
        Ok(_) => "ok".to_owned(),
        Err(CallError::Denied { reason, detail: None }) => format!("denied {reason}"),
        Err(CallError::Denied { reason, detail: Some(detail) }) => {
            format!("denied {reason} {detail}")
        }
        Err(CallError::Failed { code, reason }) => format!("error {code} {reason}"),
        Err(error) => format!("none {error}"),
    }
}
