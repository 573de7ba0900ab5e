//! A relay, a device, an agent and a page on this machine.

use std::{error::Error, fs, path::Path};

use assent_agent::{Agent, AgentOptions};
use assent_builtin_tools::Location;
use assent_device::{Device, DeviceOptions, Language, Timings};
use assent_ids::AgentId;
use assent_relay::{Server, Settings};
use assent_relay_api::{
    model::{ManifestText, TokenScope},
    operations::{
        accounts::{NewAccount, Register},
        agents::{CreateAgent, CreateToken, CreatedAgent, NewAgent, NewToken},
    },
    path::AgentPath,
    value::{NewPassword, Secret},
};
use assent_relay_client::{Client, Credentials};
use serde_json::json;

use super::{manifests, page::PageServer};

/// The password of the demo's accounts, which exist only in its directory.
const PASSWORD: &str = "a demo needs no secrets";

/// What went wrong.
pub(super) type SceneError = Box<dyn Error>;

/// How the scene is set up.
pub(super) struct SceneOptions {
    pub(super) timings: Timings,
    pub(super) lang: Option<Language>,
    pub(super) with_agent: bool,
}

/// Everything that takes part in the demo.
pub(super) struct Scene {
    relay: Server,
    pub(super) relay_url: String,
    pub(super) device: Device,
    pub(super) agent: Option<Agent>,
    pub(super) page: PageServer,
}

impl Scene {
    /// Starts everything in `directory`.
    pub(super) async fn set_up(
        directory: &Path,
        options: SceneOptions,
    ) -> Result<Self, SceneError> {
        let mut settings = Settings::new(directory.join("relay"));
        settings.listen = ([127, 0, 0, 1], 0).into();
        let relay = Server::start(settings).await?;
        let relay_url = format!("http://{}", relay.address());
        let page = PageServer::start().await?;
        let agent = if options.with_agent {
            Some(connect_agent(&relay_url, &directory.join("agent")).await?)
        } else {
            None
        };
        let device = open_device(&relay_url, directory, &page, &options).await?;
        Ok(Self { relay, relay_url, device, agent, page })
    }

    /// The id of the agent.
    pub(super) fn agent_id(&self) -> Option<AgentId> {
        self.agent.as_ref().map(Agent::id)
    }

    /// Stops everything.
    pub(super) async fn end(self) {
        if let Some(agent) = self.agent {
            agent.close().await;
        }
        drop(self.device);
        self.relay.stop().await;
    }
}

async fn open_device(
    relay: &str,
    directory: &Path,
    page: &PageServer,
    scene: &SceneOptions,
) -> Result<Device, SceneError> {
    let files = directory.join("files");
    fs::create_dir_all(&files)?;
    fs::write(files.join("notes.md"), "# Notes\n\nBuy a ticket to Oslo.\n")?;
    fs::write(files.join("todo.md"), "- [ ] Find a train to Oslo\n- [ ] Pack a coat\n")?;
    let mut options = DeviceOptions::new(directory.join("device"), relay);
    options.roots = vec![files];
    options.fetch_origins = std::iter::once(page.origin().parse()?).collect();
    options.location = Some(Location::new(59.9139, 10.7522, 30.0)?);
    options.timings = scene.timings;
    options.lang = scene.lang;
    let device = Device::open(options).await?;
    device.register("you@example.org", PASSWORD, "You", "This computer").await?;
    Ok(device)
}

/// Makes the account of the agent's owner and the agent, and connects the agent.
async fn connect_agent(relay: &str, directory: &Path) -> Result<Agent, SceneError> {
    let client = Client::new(relay, Credentials::None)?;
    let owner = NewAccount {
        email: "ada@example.org".to_owned().try_into()?,
        account_password: NewPassword::try_from(Secret::from(PASSWORD.to_owned()))?,
        display_name: "Ada".to_owned().try_into()?,
        device_locale: None,
        cookie: Some(false),
    };
    let session = client.call::<Register>(&(), &(), &owner).await?;
    let owner = client.with_credentials(Credentials::Bearer(session.access_token));
    let mut agent: NewAgent = serde_json::from_value(json!({
        "name": "Ada's helper",
        "description": "Reads your notes and looks things up for you",
    }))?;
    agent.capability_manifest = Some(ManifestText(manifests::first()));
    let created: CreatedAgent = owner.call::<CreateAgent>(&(), &(), &agent).await?;
    let scopes = vec![TokenScope::ManifestWrite].try_into().map_err(|_| "too many scopes")?;
    let path = AgentPath { agent_id: created.agent_id };
    let token = owner.call::<CreateToken>(&path, &(), &NewToken { scopes, name: None }).await?;
    let options = AgentOptions::new(relay, created.agent_id, created.token.expose())
        .manifest_token(token.token.expose())
        .directory(directory);
    Ok(Agent::connect(options).await?)
}
