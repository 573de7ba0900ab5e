//! `GET /reviews[/:relation]`, `POST /reviews/:relation`

use assent_device::{Device, PendingReview, ReviewAnswer, ReviewChange};
use assent_ids::{ManifestHash, RelationId, ScopeId};
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    agent::AgentReply,
    directory::{ScopeReply, ToolReply, scopes, tools},
    relations::read_id,
};
use crate::{error::ConsoleError, reply::Data, request::Body, state::Shared};

/// What an agent has changed.
#[derive(Serialize)]
pub(super) struct ReviewReply {
    relation_id: RelationId,
    agent: AgentReply,
    manifest_hash: ManifestHash,
    view_digest: String,
    old_version: u64,
    new_version: u64,
    granted_scopes: Vec<ScopeId>,
    scopes: Vec<ScopeReply>,
    tools: Vec<ToolReply>,
    changes: Vec<ChangeReply>,
    scopes_requiring_reauth: Vec<ScopeId>,
    refused: bool,
}

/// A change in words.
#[derive(Serialize)]
struct ChangeReply {
    rule: String,
    breaking: bool,
    text: String,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Value>,
}

/// What the person says to it.
#[derive(Deserialize)]
pub(super) struct Answer {
    decision: ReviewDecision,
    manifest_hash: ManifestHash,
    #[serde(default)]
    granted_scopes: Vec<ScopeId>,
    view_digest: String,
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum ReviewDecision {
    Accept,
    Refuse,
}

#[derive(Serialize)]
pub(super) struct Answered {
    relation_id: RelationId,
    decision: ReviewDecision,
    granted_scopes: Vec<ScopeId>,
    /// Whether the answer is signed and the relay does not have it yet.
    pending: bool,
}

pub(super) async fn list(State(state): Shared) -> Result<Data<Vec<ReviewReply>>, ConsoleError> {
    let mut replies = Vec::new();
    for review in state.device.reviews().await? {
        replies.push(reply(&state.device, review).await?);
    }
    Ok(Data(replies))
}

pub(super) async fn get(
    State(state): Shared,
    Path(id): Path<String>,
) -> Result<Data<ReviewReply>, ConsoleError> {
    let review = state.device.review(read_id(&id)?).await?;
    Ok(Data(reply(&state.device, review).await?))
}

pub(super) async fn answer(
    State(state): Shared,
    Path(id): Path<String>,
    Body(answer): Body<Answer>,
) -> Result<Data<Answered>, ConsoleError> {
    let relation_id = read_id(&id)?;
    let decision = answer.decision;
    let granted_scopes = match decision {
        ReviewDecision::Accept => Some(answer.granted_scopes),
        ReviewDecision::Refuse => None,
    };
    let (manifest_hash, view_digest) = (answer.manifest_hash, answer.view_digest);
    let answer = ReviewAnswer { granted_scopes, manifest_hash, view_digest };
    let relation = state.device.answer_review(relation_id, answer).await?;
    let pending = relation.unsent.is_some();
    let granted_scopes = relation.granted_scopes;
    Ok(Data(Answered { relation_id, decision, granted_scopes, pending }))
}

async fn reply(device: &Device, review: PendingReview) -> Result<ReviewReply, ConsoleError> {
    let keys = device.agent_keys(review.agent_id).await?;
    Ok(ReviewReply {
        relation_id: review.relation_id,
        agent: AgentReply::from(&keys),
        view_digest: review.view_digest.to_string(),
        old_version: review.old_version,
        new_version: review.new_version,
        scopes: scopes(&review.scopes, &review.tools, device.language().unwrap_or_default()),
        tools: tools(&review.tools),
        changes: review.changes.into_iter().map(ChangeReply::from).collect(),
        manifest_hash: review.manifest_hash,
        granted_scopes: review.granted_scopes,
        scopes_requiring_reauth: review.scopes_requiring_reauth,
        refused: review.is_refused,
    })
}

impl From<ReviewChange> for ChangeReply {
    fn from(change: ReviewChange) -> Self {
        Self {
            rule: change.rule,
            breaking: change.breaking,
            text: change.summary,
            path: change.path,
            old: change.old,
            new: change.new,
            witness: change.witness,
        }
    }
}
