//! `GET|POST /relations`, `GET|PATCH|DELETE /relations/:id`, `POST /relations/:id/ask-again`

use std::collections::BTreeMap;

use assent_device::{
    AddAgent, AgentTool, ChangeGrants, Device, DeviceError, DeviceRelation, RejectedManifest,
    RelationStanding, ToolStanding,
};
use assent_ids::{AgentId, ConversationId, ManifestHash, RelationId, ScopeId, UnixMillis};
use assent_protocol::wire::Timestamp;
use assent_relay_api::ledger::SignedEntry;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    agent::AgentReply,
    directory::{layers, read_fingerprint},
};
use crate::{error::ConsoleError, reply::Data, request::Body, state::Shared};

/// A relation in a list.
#[derive(Serialize)]
pub(super) struct RelationReply {
    relation_id: RelationId,
    conversation_id: ConversationId,
    agent: AgentReply,
    owner_name: String,
    state: RelationStanding,
    granted_scopes: Vec<ScopeId>,
    manifest_hash: ManifestHash,
    manifest_version: u64,
    layers: &'static str,
    safety_number: String,
    keys_changed: bool,
    /// Whether a review waits.
    review: bool,
    /// Whether a change is signed that the relay does not have yet.
    pending: bool,
    /// What the relay gave as a manifest and is not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected_manifest: Option<RejectedManifest>,
}

/// A relation with everything that belongs to it.
#[derive(Serialize)]
pub(super) struct FullRelation {
    #[serde(flatten)]
    relation: RelationReply,
    tools: Vec<ToolReply>,
    ledger: Vec<LedgerReply>,
}

/// A tool that an agent may ask for.
#[derive(Serialize)]
struct ToolReply {
    name: String,
    scope: ScopeId,
    served_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    silent_until: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    silent_at_most: Option<Timestamp>,
    always_denied: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    embargoed_until: Option<Timestamp>,
}

/// What the person has signed.
#[derive(Serialize)]
struct LedgerReply {
    #[serde(flatten)]
    entry: Value,
    hash: String,
}

/// What is granted to which agent.
#[derive(Deserialize)]
pub(super) struct NewRelation {
    agent_id: AgentId,
    manifest_hash: ManifestHash,
    granted_scopes: Vec<ScopeId>,
    view_digest: String,
    /// The fingerprint of the link.
    k: Option<String>,
    /// The relay of the link.
    relay: Option<String>,
}

/// What is granted from now on.
#[derive(Deserialize)]
pub(super) struct Change {
    granted_scopes: Vec<ScopeId>,
    manifest_hash: ManifestHash,
    view_digest: String,
}

#[derive(Deserialize)]
pub(super) struct AskAgain {
    tool: String,
}

/// An agent that was added.
#[derive(Serialize)]
pub(super) struct Added {
    relation_id: RelationId,
    conversation_id: ConversationId,
    granted_scopes: Vec<ScopeId>,
    manifest_hash: ManifestHash,
    layers: &'static str,
    safety_number: String,
    bindings: BTreeMap<String, Option<&'static str>>,
}

pub(super) async fn list(State(state): Shared) -> Result<Data<Vec<RelationReply>>, ConsoleError> {
    let mut replies = Vec::new();
    for relation in state.device.relations().await? {
        if !relation.has_ended() {
            replies.extend(reply(&state.device, &relation).await?);
        }
    }
    Ok(Data(replies))
}

pub(super) async fn get(
    State(state): Shared,
    Path(id): Path<String>,
) -> Result<Data<FullRelation>, ConsoleError> {
    let relation = state.device.relation(read_id(&id)?).await?;
    full(&state.device, &relation).await
}

pub(super) async fn add(
    State(state): Shared,
    Body(new): Body<NewRelation>,
) -> Result<Data<Added>, ConsoleError> {
    let device = &state.device;
    if let Some(relay) = &new.relay {
        device.check_relay(relay)?;
    }
    let grant = AddAgent {
        agent_id: new.agent_id,
        manifest_hash: new.manifest_hash,
        granted_scopes: new.granted_scopes,
        fingerprint: new.k.as_deref().map(read_fingerprint).transpose()?,
        view_digest: new.view_digest,
    };
    let added = device.add_agent(grant).await?;
    let relation = device.relation(added.relation_id).await?;
    let keys = device.agent_keys(relation.agent_id).await?;
    let tools = relation.tools().map_err(DeviceError::from)?;
    let bindings = tools.iter().map(|tool| (tool.declared.name.to_string(), tool.served_by()));
    Ok(Data(Added {
        relation_id: added.relation_id,
        conversation_id: added.conversation_id,
        manifest_hash: relation.agreed.hash.clone(),
        layers: layers(keys.has_sessions),
        safety_number: keys.safety_number.to_string(),
        bindings: bindings.collect(),
        granted_scopes: relation.granted_scopes,
    }))
}

pub(super) async fn change(
    State(state): Shared,
    Path(id): Path<String>,
    Body(change): Body<Change>,
) -> Result<Data<FullRelation>, ConsoleError> {
    let Change { granted_scopes, manifest_hash, view_digest } = change;
    let change = ChangeGrants { granted_scopes, manifest_hash, view_digest };
    let relation = state.device.change_grants(read_id(&id)?, change).await?;
    full(&state.device, &relation).await
}

pub(super) async fn revoke(
    State(state): Shared,
    Path(id): Path<String>,
) -> Result<Data<FullRelation>, ConsoleError> {
    let relation = state.device.revoke(read_id(&id)?).await?;
    full(&state.device, &relation).await
}

pub(super) async fn ask_again(
    State(state): Shared,
    Path(id): Path<String>,
    Body(ask): Body<AskAgain>,
) -> Result<Data<FullRelation>, ConsoleError> {
    let relation = state.device.relation(read_id(&id)?).await?;
    state.device.ask_again(relation.agent_id, &ask.tool).await?;
    full(&state.device, &relation).await
}

async fn full(
    device: &Device,
    relation: &DeviceRelation,
) -> Result<Data<FullRelation>, ConsoleError> {
    let short = reply(device, relation).await?;
    let short = short.ok_or_else(|| ConsoleError::not_found("relation"))?;
    let standings = device.tool_standings(relation.agent_id).await?;
    let tools = relation.tools().map_err(DeviceError::from)?.into_iter().map(|tool| {
        let name = tool.declared.name.as_str();
        tool_reply(&tool, standings.iter().find(|standing| standing.tool == name))
    });
    Ok(Data(FullRelation {
        relation: short,
        tools: tools.collect(),
        ledger: relation.ledger.iter().map(entry).collect(),
    }))
}

fn tool_reply(tool: &AgentTool, standing: Option<&ToolStanding>) -> ToolReply {
    let time = |time: Option<UnixMillis>| time.map(Timestamp::from);
    ToolReply {
        name: tool.declared.name.to_string(),
        scope: tool.declared.permission_scope.clone(),
        served_by: tool.served_by(),
        silent_until: time(standing.and_then(|standing| standing.silent_until)),
        silent_at_most: time(standing.and_then(|standing| standing.silent_at_most)),
        always_denied: standing.is_some_and(|standing| standing.always_denied),
        embargoed_until: time(standing.and_then(|standing| standing.embargoed_until)),
    }
}

fn entry(signed: &SignedEntry) -> LedgerReply {
    let entry = &signed.entry;
    LedgerReply {
        hash: entry.digest().map(|digest| digest.to_string()).unwrap_or_default(),
        entry: json!(entry),
    }
}

/// `None` if the relay has not stored the first grant yet.
async fn reply(
    device: &Device,
    relation: &DeviceRelation,
) -> Result<Option<RelationReply>, ConsoleError> {
    let Some(known) = relation.established else { return Ok(None) };
    let keys = device.agent_keys(relation.agent_id).await?;
    Ok(Some(RelationReply {
        relation_id: known.relation_id,
        conversation_id: known.conversation_id,
        agent: AgentReply::of(relation, &keys),
        owner_name: relation.owner_name.clone(),
        state: relation.state,
        granted_scopes: relation.granted_scopes.clone(),
        manifest_hash: relation.agreed.hash.clone(),
        manifest_version: relation.agreed.version,
        layers: layers(keys.has_sessions),
        safety_number: keys.safety_number.to_string(),
        keys_changed: keys.has_changed,
        review: relation.review.is_some(),
        pending: relation.unsent.is_some(),
        rejected_manifest: relation.rejected.clone(),
    }))
}

pub(super) fn read_id(id: &str) -> Result<RelationId, ConsoleError> {
    id.parse().map_err(|_| ConsoleError::not_found("relation"))
}
