//! `assent agent init`

use std::path::Path;

use assent_agent::{Agent, AgentDirectory, StoredAgent};
use assent_relay_api::{
    model::{ManifestText, TokenScope},
    operations::agents::{CreateAgent, CreateToken, NewAgent, NewToken},
    path::AgentPath,
};
use assent_relay_client::Client;

use super::{Failure, owner};
use crate::{
    cli,
    command::manifest,
    exit::Exit,
    input,
    output::{self, GOOD, QUIET, STRONG, visible},
};

pub(super) async fn run(
    directory: &AgentDirectory,
    arguments: &cli::Init,
    as_json: bool,
) -> Result<Exit, Failure> {
    if let Some(agent) = directory.find()?
        && directory.manifest_token()?.is_some()
    {
        let id = agent.agent_id;
        let message = format!("this directory belongs to {id}; use another one with `--dir`");
        return Err(Failure::Failed("AGENT_EXISTS", message));
    }
    let manifest = arguments.manifest.as_deref();
    let manifest = manifest.map(|path| read_manifest(path, as_json)).transpose()?;
    let (relay, name) = (arguments.relay.as_str(), arguments.name.as_str());
    let new = New { relay, name, manifest, owner: &arguments.owner };
    let agent = make(directory, new).await?;
    // Connecting registers the keys.
    let connected = Agent::connect(directory.options()?).await?;
    let link = connected.link().await?.to_string();
    connected.close().await;
    if as_json {
        let report = serde_json::json!({
            "agent_id": agent.agent_id, "name": agent.name, "relay": agent.relay, "link": link,
        });
        return Ok(output::json(Exit::AsAsked, &report));
    }
    Ok(output::report(Exit::AsAsked, |out| {
        let name = visible(&agent.name);
        writeln!(out, "{GOOD}✓{GOOD:#} {STRONG}{name}{STRONG:#} is {}", agent.agent_id)?;
        writeln!(out, "  {QUIET}link{QUIET:#}  {link}")?;
        writeln!(out, "{QUIET}People add the agent with this link.{QUIET:#}")
    }))
}

/// Reads a manifest. What is wrong with it is reported here.
pub(super) fn read_manifest(path: &Path, as_json: bool) -> Result<ManifestText, Failure> {
    let input = input::read(path).map_err(|error| Failure::Unreadable(error.message))?;
    manifest::require_valid(&input, as_json).map_err(Failure::Reported)?;
    let manifest = serde_json::from_slice(&input.bytes);
    manifest.map(ManifestText).map_err(|error| Failure::Unreadable(error.to_string()))
}

/// An agent to be made.
pub(super) struct New<'a> {
    pub(super) relay: &'a str,
    pub(super) name: &'a str,
    pub(super) manifest: Option<ManifestText>,
    pub(super) owner: &'a cli::Owner,
}

/// Makes what the directory lacks: the agent, and the token that may publish its manifest.
pub(super) async fn make(directory: &AgentDirectory, new: New<'_>) -> Result<StoredAgent, Failure> {
    let owner = owner::sign_in(new.relay, new.owner).await?;
    let agent = match directory.find()? {
        Some(agent) => agent,
        None => create(directory, &owner, new).await?,
    };
    add_manifest_token(directory, &owner, &agent).await?;
    Ok(agent)
}

/// Makes the agent and stores it.
async fn create(
    directory: &AgentDirectory,
    owner: &Client,
    new: New<'_>,
) -> Result<StoredAgent, Failure> {
    let agent_name = new.name.to_owned().try_into();
    let agent_name =
        agent_name.map_err(|error| Failure::WrongUse(format!("`--name` takes a name: {error}")))?;
    // If the directory cannot be made, no agent is made either.
    directory.create()?;
    let agent = NewAgent {
        name: agent_name,
        description: None,
        connection_mode: None,
        webhook_url: None,
        health_check_url: None,
        capability_manifest: new.manifest,
    };
    let created = owner.call::<CreateAgent>(&(), &(), &agent).await?;
    let agent = StoredAgent::new(new.relay.to_owned(), created.agent_id, new.name.to_owned());
    directory.save(&agent, &created.token)?;
    Ok(agent)
}

/// Makes the token that may publish manifests, unless there is one.
async fn add_manifest_token(
    directory: &AgentDirectory,
    owner: &Client,
    agent: &StoredAgent,
) -> Result<(), Failure> {
    if directory.manifest_token()?.is_some() {
        return Ok(());
    }
    let scopes = vec![TokenScope::ManifestWrite].try_into();
    let scopes = scopes.map_err(|_| Failure::WrongUse("too many scopes".to_owned()))?;
    let token = NewToken { scopes, name: None };
    let path = AgentPath { agent_id: agent.agent_id };
    let created = owner.call::<CreateToken>(&path, &(), &token).await?;
    Ok(directory.save_manifest_token(&created.token)?)
}
