//! `GET /directory`, `GET /directory/:agent`

use assent_device::{Language, OfferedScope, OfferedTool, scope_text};
use assent_ids::{AgentId, ManifestHash, RelationId, ScopeId};
use assent_protocol::a2h::Sensitivity;
use assent_relay_api::{model::AgentSummary, operations::agents::AgentSearch};
use assent_sealing::{AgentLinkError, KeyFingerprint};
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    error::ConsoleError,
    reply::{Data, PageOf},
    request::Query,
    state::Shared,
};

/// The link that the person came by.
#[derive(Deserialize)]
pub(super) struct LinkQuery {
    k: Option<String>,
}

/// An agent before it is added.
#[derive(Serialize)]
pub(super) struct OfferReply {
    agent_id: AgentId,
    name: String,
    description: Option<String>,
    owner_name: String,
    suspended: bool,
    /// The relation, if the person has added the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    relation_id: Option<RelationId>,
    manifest: Value,
    manifest_version: u64,
    manifest_hash: ManifestHash,
    scopes: Vec<ScopeReply>,
    tools: Vec<ToolReply>,
    layers: &'static str,
    verified: bool,
    safety_number: String,
    view_digest: String,
}

/// A scope that an agent declares.
#[derive(Serialize)]
pub(super) struct ScopeReply {
    id: ScopeId,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    sensitivity: Sensitivity,
    tools: Vec<String>,
}

/// A tool that an agent declares.
#[derive(Serialize)]
pub(super) struct ToolReply {
    name: String,
    description: Option<String>,
    scope: ScopeId,
    served_by: Option<&'static str>,
}

pub(super) async fn search(
    State(state): Shared,
    Query(search): Query<AgentSearch>,
) -> Result<PageOf<AgentSummary>, ConsoleError> {
    Ok(PageOf(state.device.search_agents(&search).await?))
}

pub(super) async fn get(
    State(state): Shared,
    Path(id): Path<String>,
    Query(link): Query<LinkQuery>,
) -> Result<Data<OfferReply>, ConsoleError> {
    let agent_id: AgentId = id.parse().map_err(|_| ConsoleError::not_found("agent"))?;
    let fingerprint = link.k.as_deref().map(read_fingerprint).transpose()?;
    let device = &state.device;
    let offer = device.look_up_agent(agent_id, fingerprint).await?;
    let relations = device.relations().await?;
    let added = relations.iter().find(|relation| relation.agent_id == agent_id);
    let added = added.filter(|relation| !relation.has_ended());
    let relation_id = added.and_then(|it| it.established).map(|known| known.relation_id);
    Ok(Data(OfferReply {
        agent_id,
        relation_id,
        suspended: offer.is_suspended,
        manifest_version: offer.manifest_version,
        scopes: scopes(&offer.scopes, &offer.tools, device.language().unwrap_or_default()),
        tools: tools(&offer.tools),
        layers: layers(offer.has_sessions),
        verified: offer.is_verified || added.is_some_and(|relation| relation.is_verified),
        safety_number: offer.safety_number.to_string(),
        view_digest: offer.view_digest.to_string(),
        manifest_hash: offer.manifest_hash,
        manifest: offer.manifest,
        name: offer.name,
        description: offer.description,
        owner_name: offer.owner_name,
    }))
}

/// The fingerprint of a link.
pub(super) fn read_fingerprint(k: &str) -> Result<KeyFingerprint, ConsoleError> {
    let wrong =
        |error: AgentLinkError| ConsoleError::invalid(error.to_string()).with("pointer", "/k");
    k.parse().map_err(wrong)
}

/// Scopes with what they are called: by their ids, or in the words of the agent.
pub(super) fn scopes(
    scopes: &[OfferedScope],
    tools: &[OfferedTool],
    language: Language,
) -> Vec<ScopeReply> {
    let reply = |scope: &OfferedScope| {
        let known = scope_text(scope.id.as_str(), language);
        let label =
            known.map(|text| text.label.to_owned()).or_else(|| scope.label_fallback.clone());
        let description = known.map(|text| text.description.to_owned());
        let uses = tools.iter().filter(|tool| tool.scope == scope.id);
        ScopeReply {
            id: scope.id.clone(),
            label: label.unwrap_or_else(|| scope.id.to_string()),
            description: description.or_else(|| scope.description_fallback.clone()),
            sensitivity: scope.sensitivity,
            tools: uses.map(|tool| tool.name.clone()).collect(),
        }
    };
    scopes.iter().map(reply).collect()
}

pub(super) fn tools(tools: &[OfferedTool]) -> Vec<ToolReply> {
    let reply = |tool: &OfferedTool| ToolReply {
        name: tool.name.clone(),
        description: tool.description.clone(),
        scope: tool.scope.clone(),
        served_by: tool.served_by,
    };
    tools.iter().map(reply).collect()
}

/// The word for the layers of encryption.
pub(super) const fn layers(has_sessions: bool) -> &'static str {
    if has_sessions { "full" } else { "stateless" }
}
