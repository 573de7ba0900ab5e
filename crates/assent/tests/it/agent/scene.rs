//! A relay, a person with a device, and the directory of an agent.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

use assent_device::{
    Attachment, Decision, Device, DeviceEvent, DeviceOptions, Interface, Prompt, PromptAnswer,
};
use assent_ids::{Clock as _, SystemClock};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{runtime::Runtime, sync::broadcast};

use crate::{
    Run,
    running::{Relay, bare, run},
};

pub(crate) const PASSWORD: &str = "correct horse battery";

/// No wait of a test is longer.
const LIMIT: Duration = Duration::from_secs(30);

/// A relay and the directory of an agent, which may be empty.
pub(crate) struct Home {
    pub(crate) relay: Relay,
    pub(crate) folder: TempDir,
}

/// A home with an agent, and a person who has added it.
pub(crate) struct Scene {
    pub(crate) home: Home,
    pub(crate) runtime: Runtime,
    pub(crate) device: Device,
    pub(crate) conversation: String,
    events: broadcast::Receiver<DeviceEvent>,
    /// The person has the console open.
    _console: Attachment,
}

fn tool(name: &str, scope: &str, required: &str) -> Value {
    json!({
        "name": name,
        "description_i18n_key": format!("agent.test.{name}"),
        "input_schema": {
            "type": "object",
            "properties": { required: { "type": "string" } },
            "required": [required],
            "additionalProperties": false,
        },
        "permission_scope": scope,
    })
}

fn scope(id: &str, sensitivity: &str) -> Value {
    let key = format!("scope.{}", id.replace(':', "_"));
    json!({ "id": id, "label_i18n_key": key, "sensitivity": sensitivity })
}

/// The manifest of the agent: notifications need no question, files do.
pub(crate) fn manifest() -> Value {
    json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": [
            tool("read_file", "filesystem:read", "path"),
            tool("send_notification", "notification:send", "title"),
        ],
        "permission_scopes": [
            scope("filesystem:read", "medium"),
            scope("notification:send", "low"),
        ],
        "capability_flags": {},
    })
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("manifest.json"), manifest().to_string()).unwrap();
        Self { relay: Relay::start(&[]), folder }
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// `assent agent … --dir`
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = bare(&["agent"]);
        command.args(arguments).arg("--dir").arg(self.path("agent"));
        command.env("ASSENT_ACCOUNT_PASSWORD", PASSWORD).current_dir(self.folder.path());
        command
    }

    pub(crate) fn agent(&self, arguments: &[&str]) -> Run {
        run(&mut self.command(arguments))
    }

    pub(crate) fn init(&self, more: &[&str]) -> Run {
        let manifest = self.path("manifest.json");
        let url = self.relay.url().to_owned();
        let arguments =
            ["init", "--relay", &url, "--name", "helper", "--manifest", &manifest, "--json"];
        self.agent(&[&arguments, more].concat())
    }
}

/// The flags that make the account of the owner.
pub(crate) const NEW_OWNER: [&str; 5] =
    ["--email", "owner@example.org", "--register", "--owner-name", "Ada"];

impl Scene {
    pub(crate) fn new() -> Self {
        let home = Home::new();
        let made = home.init(&NEW_OWNER);
        assert_eq!(made.code, 0, "{}{}", made.text(), made.stderr);
        let agent_id = made.json()["agent_id"].as_str().unwrap().parse().unwrap();
        fs::create_dir(home.path("files")).unwrap();
        fs::write(home.path("files/notes.md"), "marker-in-the-file").unwrap();

        let runtime = Runtime::new().unwrap();
        let mut options = DeviceOptions::new(home.path("device"), home.relay.url());
        options.roots = vec![PathBuf::from(home.path("files"))];
        let (device, conversation) = runtime.block_on(async {
            let device = Device::open(options).await.unwrap();
            device.register("you@example.org", PASSWORD, "You", "phone").await.unwrap();
            let offer = device.look_up_agent(agent_id, None).await.unwrap();
            let scopes = ["filesystem:read", "notification:send"];
            let grant = offer.grant(scopes.map(|scope| scope.parse().unwrap()).to_vec());
            let added = device.add_agent(grant).await.unwrap();
            (device, added.conversation_id.to_string())
        });
        let events = device.events();
        let _console = device.attach(Interface::Console);
        Self { home, runtime, device, conversation, events, _console }
    }

    /// `assent agent call … --json`
    pub(crate) fn call(&self, arguments: &[&str]) -> Run {
        self.home.agent(&[&["call"], arguments, &["--json"]].concat())
    }

    /// Waits for a question of the agent.
    pub(crate) fn prompt(&self) -> Prompt {
        let began = Instant::now();
        loop {
            if let Some(prompt) = self.device.prompts().into_iter().next() {
                return prompt;
            }
            assert!(began.elapsed() < LIMIT, "no question was asked");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for a question and answers it.
    pub(crate) fn answer(&self, decision: Decision) {
        let prompt = self.prompt();
        let view_digest = prompt.view.digest.to_string();
        let answer = PromptAnswer { decision, view_digest, has_shown_all: true };
        std::thread::sleep(prompt.answerable_at.since(SystemClock.now()));
        let answer = self.device.answer_prompt(prompt.prompt_id, answer, Interface::Console);
        self.runtime.block_on(answer).unwrap();
    }

    /// Calls a tool, while the person answers the question.
    pub(crate) fn call_and_answer(&self, arguments: &[&str], decision: Decision) -> Run {
        std::thread::scope(|threads| {
            let call = threads.spawn(|| self.call(arguments));
            self.answer(decision);
            call.join().unwrap()
        })
    }

    /// The titles of the notifications that were shown since the last time.
    pub(crate) fn notifications(&mut self) -> Vec<String> {
        let mut titles = Vec::new();
        while let Ok(event) = self.events.try_recv() {
            if let DeviceEvent::Notification(notification) = event {
                titles.push(notification.title);
            }
        }
        titles
    }
}
