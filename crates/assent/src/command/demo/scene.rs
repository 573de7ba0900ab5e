//! A relay, a device and an agent on this machine.

use std::{error::Error, fs, path::Path, time::Duration};

use assent_agent::{Agent, AgentOptions};
use assent_device::{Device, DeviceOptions, Timings};
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

/// For this long a question stays open.
const PROMPT_TIMEOUT: Duration = Duration::from_secs(2);

/// The passwords of the demo's accounts; they exist only in its directory.
const PASSWORD: &str = "a demo needs no secrets";

/// Everything that takes part in the demo.
pub(super) struct Scene {
    relay: Server,
    pub(super) device: Device,
    pub(super) agent: Agent,
    pub(super) conversation: ConversationId,
}

impl Scene {
    /// Starts everything in `directory`.
    pub(super) async fn set_up(directory: &Path) -> Result<Self, Box<dyn Error>> {
        let mut settings = Settings::new(directory.join("relay"));
        settings.listen = ([127, 0, 0, 1], 0).into();
        let relay = Server::start(settings).await?;
        let url = format!("http://{}", relay.address());

        let created = create_agent(&url).await?;
        let options = AgentOptions::new(&url, created.agent_id, created.token.expose())
            .directory(directory.join("agent"));
        let agent = Agent::connect(options).await?;

        let files = directory.join("files");
        fs::create_dir_all(&files)?;
        fs::write(files.join("notes.md"), "# Notes\n\nBuy a ticket to Oslo.\n")?;
        let mut options = DeviceOptions::new(directory.join("device"), &url);
        options.roots = vec![files];
        options.timings = Timings { medium: PROMPT_TIMEOUT, ..Timings::default() };
        let device = Device::open(options).await?;
        device.register("you@example.org", PASSWORD, "You", "This computer").await?;

        let offer = device.look_up_agent(created.agent_id, None).await?;
        let added = device.add_agent(offer.grant(vec!["filesystem:read".parse()?])).await?;
        Ok(Self { relay, device, agent, conversation: added.conversation_id })
    }

    /// Stops everything.
    pub(super) async fn end(self) {
        drop((self.agent, self.device));
        self.relay.stop().await;
    }
}

/// Makes the account of the agent's owner, and the agent.
async fn create_agent(url: &str) -> Result<CreatedAgent, Box<dyn Error>> {
    let client = Client::new(url, Credentials::None)?;
    let owner = NewAccount {
        email: "ada@example.org".to_owned().try_into()?,
        account_password: NewPassword::try_from(Secret::from(PASSWORD.to_owned()))?,
        display_name: "Ada".to_owned().try_into()?,
        device_locale: None,
        cookie: Some(false),
    };
    let session = client.call::<Register>(&(), &(), &owner).await?;
    let client = client.with_credentials(Credentials::Bearer(session.access_token));
    let agent: NewAgent = serde_json::from_value(json!({
        "name": "Ada's helper",
        "description": "Reads your notes and keeps track of them",
        "capability_manifest": manifest(),
    }))?;
    Ok(client.call::<CreateAgent>(&(), &(), &agent).await?)
}

fn manifest() -> Value {
    json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": [{
            "name": "read_file",
            "description_i18n_key": "agent.helper.read_file",
            "description_fallback": "Read a file in a folder that you choose",
            "input_schema": {
                "type": "object",
                "properties": { "path": { "type": "string" } },
                "required": ["path"],
                "additionalProperties": false,
            },
            "permission_scope": "filesystem:read",
        }],
        "permission_scopes": [{
            "id": "filesystem:read",
            "label_i18n_key": "scope.filesystem_read",
            "sensitivity": "medium",
        }],
        "capability_flags": {},
    })
}
