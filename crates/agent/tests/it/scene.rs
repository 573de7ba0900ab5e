//! A relay, a person with a device, and the directory of an agent that the person has added.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use assent_agent::{Agent, AgentDirectory, StoredAgent};
use assent_device::{
    Attachment, Decision, Device, DeviceEvent, DeviceOptions, Interface, Prompt, PromptAnswer,
};
use assent_ids::{Clock as _, ConversationId, SystemClock};
use assent_relay::{Server, Settings};
use assent_relay_api::{
    operations::{
        accounts::{NewAccount, Register},
        agents::{CreateAgent, NewAgent},
        relations::{SuspendRelation, Suspension},
    },
    path::RelationPath,
    value::{NewPassword, Secret},
};
use assent_relay_client::{Client, Credentials};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::broadcast;

/// No wait of a test is longer.
pub(crate) const LIMIT: Duration = Duration::from_secs(30);

pub(crate) struct Scene {
    pub(crate) device: Device,
    pub(crate) directory: AgentDirectory,
    pub(crate) conversation: ConversationId,
    events: broadcast::Receiver<DeviceEvent>,
    /// The person has the console open.
    _console: Attachment,
    pub(crate) folder: TempDir,
    /// A client with the access token of the owner of the agent.
    owner: Client,
    relay: Server,
}

fn tool(name: &str, scope: &str, required: &str) -> Value {
    json!({
        "name": name,
        "description_i18n_key": format!("agent.test.{name}"),
        "description_fallback": format!("Runs {name}"),
        "input_schema": {
            "type": "object",
            "properties": { required: { "type": "string" } },
            "required": [required],
            "additionalProperties": false,
        },
        "permission_scope": scope,
    })
}

/// Notifications need no question, every file does.
pub(crate) fn manifest() -> Value {
    json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": [
            tool("read_file", "filesystem:read", "path"),
            tool("send_notification", "notification:send", "title"),
        ],
        "permission_scopes": [
            { "id": "filesystem:read", "label_i18n_key": "scope.files", "sensitivity": "high" },
            { "id": "notification:send", "label_i18n_key": "scope.notify", "sensitivity": "low" },
        ],
        "capability_flags": {},
    })
}

impl Scene {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::new(folder.path().join("relay"));
        settings.listen = ([127, 0, 0, 1], 0).into();
        let relay = Server::start(settings).await.unwrap();
        let url = format!("http://{}", relay.address());

        let owner = owner(&url).await;
        let new: NewAgent =
            serde_json::from_value(json!({ "name": "helper", "capability_manifest": manifest() }))
                .unwrap();
        let created = owner.call::<CreateAgent>(&(), &(), &new).await.unwrap();
        let directory = AgentDirectory::new(folder.path().join("agent"));
        directory.create().unwrap();
        let stored = StoredAgent::new(url.clone(), created.agent_id, "helper".to_owned());
        directory.save(&stored, &created.token).unwrap();
        Agent::connect(directory.options().unwrap()).await.unwrap().close().await;

        let files = folder.path().join("files");
        fs::create_dir(&files).unwrap();
        fs::write(files.join("notes.md"), "marker-in-the-file").unwrap();
        let mut options = DeviceOptions::new(folder.path().join("device"), &url);
        options.roots = vec![PathBuf::from(&files)];
        let device = Device::open(options).await.unwrap();
        device.register("you@example.org", "correct horse", "You", "phone").await.unwrap();
        let offer = device.look_up_agent(created.agent_id, None).await.unwrap();
        let scopes = ["filesystem:read", "notification:send"];
        let grant = offer.grant(scopes.map(|scope| scope.parse().unwrap()).to_vec());
        let conversation = device.add_agent(grant).await.unwrap().conversation_id;
        let events = device.events();
        let _console = device.attach(Interface::Console);
        Self { device, directory, conversation, events, _console, folder, owner, relay }
    }

    pub(crate) async fn connect(&self) -> Agent {
        Agent::connect(self.directory.options().unwrap()).await.unwrap()
    }

    /// Waits for a question.
    pub(crate) async fn prompt(&self) -> Prompt {
        let began = Instant::now();
        loop {
            if let Some(prompt) = self.device.prompts().into_iter().next() {
                return prompt;
            }
            assert!(began.elapsed() < LIMIT, "no question was asked");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits for a question and answers it.
    pub(crate) async fn answer(&self, decision: Decision) {
        let prompt = self.prompt().await;
        let view_digest = prompt.view.digest.to_string();
        let answer = PromptAnswer { decision, view_digest, has_shown_all: true };
        tokio::time::sleep(prompt.answerable_at.since(SystemClock.now())).await;
        let answered = self.device.answer_prompt(prompt.prompt_id, answer, Interface::Console);
        answered.await.unwrap();
    }

    /// Waits for the next notification, and returns its title.
    pub(crate) async fn notification(&mut self) -> String {
        loop {
            let event = tokio::time::timeout(LIMIT, self.events.recv()).await.unwrap();
            if let DeviceEvent::Notification(notification) = event.unwrap() {
                return notification.title;
            }
        }
    }

    /// The owner of the agent suspends the relation.
    pub(crate) async fn suspend(&self, agent: &Agent) {
        let relation_id = agent.relations().await.unwrap()[0].relation_id;
        let path = RelationPath { relation_id };
        let suspension = Suspension::default();
        self.owner.call::<SuspendRelation>(&path, &(), &suspension).await.unwrap();
    }

    pub(crate) async fn end(self) {
        drop(self.device);
        self.relay.stop().await;
    }
}

async fn owner(url: &str) -> Client {
    let client = Client::new(url, Credentials::None).unwrap();
    let account = NewAccount {
        email: "owner@example.org".to_owned().try_into().unwrap(),
        account_password: NewPassword::try_from(Secret::from("correct horse".to_owned())).unwrap(),
        display_name: "Ada".to_owned().try_into().unwrap(),
        device_locale: None,
        cookie: Some(false),
    };
    let session = client.call::<Register>(&(), &(), &account).await.unwrap();
    client.with_credentials(Credentials::Bearer(session.access_token))
}
