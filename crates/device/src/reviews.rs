//! Reviews: an agent has changed what it declares, and the person has not agreed to it yet.

use assent_ids::{AgentId, ManifestHash, RelationId, ScopeId};
use assent_json::Digest;
use assent_sealing::{Endpoint, Layers};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Device, DeviceError, DeviceRelation, OfferedScope, OfferedTool,
    agent_manifest::AgentManifest,
    device::Shared,
    directory::{layers_word, offered_scopes, offered_tools, view_digest},
    relation_works::ChangeRelation,
    works::FindPeer,
};

/// A later manifest that the person has not agreed to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The version of the manifest.
    pub version: u64,
    /// The manifest, once it was fetched.
    pub manifest: Option<AgentManifest>,
    /// What is different from the manifest that the person has agreed to.
    pub changes: Vec<ReviewChange>,
    /// Whether the relay says that the person has to agree again.
    pub is_named_by_relay: bool,
    /// Scopes that the relay says have to be agreed to again.
    pub named_by_relay: Vec<ScopeId>,
    /// Scopes that this device says have to be agreed to again.
    pub found_here: Vec<ScopeId>,
    /// Whether the person has refused it. It can still be accepted.
    pub is_refused: bool,
}

/// Something that is different in a later manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewChange {
    /// The rule by which it is breaking or not.
    pub rule: String,
    /// Where: a JSON Pointer into the later manifest, or into the earlier one for something that is gone.
    pub path: String,
    /// Whether the person has to agree again.
    pub breaking: bool,
    /// The change in a sentence.
    pub summary: String,
    /// What stood there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    /// What stands there now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
    /// An input that was accepted and is refused now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
}

/// What the relay gave as a manifest and this device does not use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedManifest {
    /// The version that the relay says.
    pub version: u64,
    /// Why it is not used.
    pub reason: String,
}

/// A review as it is shown to the person.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingReview {
    /// The relation.
    pub relation_id: RelationId,
    /// The agent.
    pub agent_id: AgentId,
    /// What it is called.
    pub agent_name: String,
    /// The version that the person has agreed to.
    pub old_version: u64,
    /// The version that is reviewed.
    pub new_version: u64,
    /// The hash of the manifest that is reviewed.
    pub manifest_hash: ManifestHash,
    /// What the person has granted.
    pub granted_scopes: Vec<ScopeId>,
    /// The scopes that the reviewed manifest declares.
    pub scopes: Vec<OfferedScope>,
    /// The tools that the reviewed manifest declares.
    pub tools: Vec<OfferedTool>,
    /// What is different, breaking changes first.
    pub changes: Vec<ReviewChange>,
    /// The scopes that have to be agreed to again. Calls that need them are refused until then.
    pub scopes_requiring_reauth: Vec<ScopeId>,
    /// Whether the person has refused it. It can still be accepted.
    pub is_refused: bool,
    /// The digest of everything that is agreed to.
    pub view_digest: Digest,
}

/// What the person says to a review.
#[derive(Clone, Debug)]
pub struct ReviewAnswer {
    /// Everything that is granted from now on, or `None` for a refusal.
    pub granted_scopes: Option<Vec<ScopeId>>,
    /// The hash of the manifest that the person saw.
    pub manifest_hash: ManifestHash,
    /// The digest of the review that the person saw.
    pub view_digest: String,
}

impl Review {
    pub(crate) const fn new(version: u64) -> Self {
        Self {
            version,
            manifest: None,
            changes: Vec::new(),
            is_named_by_relay: false,
            named_by_relay: Vec::new(),
            found_here: Vec::new(),
            is_refused: false,
        }
    }

    /// Returns `true` if calls that need this scope have to wait.
    #[must_use]
    pub fn pauses(&self, scope: &ScopeId) -> bool {
        self.named_by_relay.contains(scope) || self.found_here.contains(scope)
    }

    fn scopes_requiring_reauth(&self) -> Vec<ScopeId> {
        let mut scopes = [self.named_by_relay.clone(), self.found_here.clone()].concat();
        scopes.sort_unstable();
        scopes.dedup();
        scopes
    }
}

impl Device {
    /// The reviews that the person has not accepted.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub async fn reviews(&self) -> Result<Vec<PendingReview>, DeviceError> {
        let mut reviews = Vec::new();
        for relation in self.relations().await? {
            reviews.extend(self.shared.pending_review(&relation).await?);
        }
        Ok(reviews)
    }

    /// The review of a relation.
    ///
    /// # Errors
    /// If there is none, or the state cannot be read.
    pub async fn review(&self, id: RelationId) -> Result<PendingReview, DeviceError> {
        let relation = self.relation(id).await?;
        self.shared.pending_review(&relation).await?.ok_or(DeviceError::UnknownReview)
    }

    /// Answers a review. Accepting signs a new grant. After a refusal nothing is signed, and the scopes stay paused.
    ///
    /// # Errors
    /// If there is no review, the person saw another one, or the relay refuses.
    pub async fn answer_review(
        &self,
        id: RelationId,
        answer: ReviewAnswer,
    ) -> Result<DeviceRelation, DeviceError> {
        let review = self.review(id).await?;
        if review.manifest_hash != answer.manifest_hash {
            return Err(DeviceError::ManifestChanged);
        }
        if review.view_digest.to_string() != answer.view_digest {
            return Err(DeviceError::ViewChanged);
        }
        let shared = &self.shared;
        let agent_id = review.agent_id;
        match answer.granted_scopes {
            Some(scopes) => shared.accept_review(agent_id, &review.manifest_hash, scopes).await?,
            None => shared.refuse_review(agent_id, review.manifest_hash).await?,
        }
        shared.announce_review(agent_id, false).await?;
        shared.relation_of(agent_id).await
    }
}

impl Shared {
    /// The review of a relation, if the person has to look at one.
    async fn pending_review(
        &self,
        relation: &DeviceRelation,
    ) -> Result<Option<PendingReview>, DeviceError> {
        let Some((review, known)) = relation.review.as_ref().zip(relation.established) else {
            return Ok(None);
        };
        let Some(manifest) = &review.manifest else { return Ok(None) };
        let endpoint = Endpoint::Agent(relation.agent_id);
        let peer = self.database.read(FindPeer(self.mailbox.clone(), endpoint)).await?;
        let peer = peer.ok_or(DeviceError::UnknownRelation)?;
        let read = manifest.read()?;
        let (scopes, tools) = (offered_scopes(&read), offered_tools(&read));
        let mut changes = review.changes.clone();
        changes.sort_by_key(|change| !change.breaking);
        let scopes_requiring_reauth = review.scopes_requiring_reauth();
        let safety_number = self.safety_number(&peer).await?;
        let agreed_to = json!({
            "agent_id": relation.agent_id,
            "manifest_hash": manifest.hash,
            "scopes": scopes.iter().map(OfferedScope::to_digest).collect::<Vec<_>>(),
            "tools": tools.iter().map(OfferedTool::to_digest).collect::<Vec<_>>(),
            "changes": changes,
            "scopes_requiring_reauth": scopes_requiring_reauth,
            "layers": layers_word(*peer.layers() == Layers::Full),
            "safety_number": safety_number.digits(),
        });
        Ok(Some(PendingReview {
            relation_id: known.relation_id,
            agent_id: relation.agent_id,
            agent_name: relation.agent_name.clone(),
            old_version: relation.agreed.version,
            new_version: manifest.version,
            manifest_hash: manifest.hash.clone(),
            granted_scopes: relation.granted_scopes.clone(),
            scopes,
            tools,
            changes,
            scopes_requiring_reauth,
            is_refused: review.is_refused,
            view_digest: view_digest(&agreed_to)?,
        }))
    }

    async fn accept_review(
        &self,
        agent_id: AgentId,
        hash: &ManifestHash,
        scopes: Vec<ScopeId>,
    ) -> Result<(), DeviceError> {
        let review = self.relation_of(agent_id).await?.review;
        let manifest = review.and_then(|review| review.manifest);
        let manifest = manifest.filter(|manifest| manifest.hash == *hash);
        let manifest = manifest.ok_or(DeviceError::ManifestChanged)?;
        manifest.read()?.check_scopes(&scopes)?;
        self.sign_update(agent_id, scopes, manifest).await
    }

    async fn refuse_review(
        &self,
        agent_id: AgentId,
        hash: ManifestHash,
    ) -> Result<(), DeviceError> {
        let change = move |relation: &mut DeviceRelation| {
            let review = relation.review.as_mut().filter(|review| {
                review.manifest.as_ref().is_some_and(|manifest| manifest.hash == hash)
            });
            review.ok_or(DeviceError::ManifestChanged)?.is_refused = true;
            Ok(())
        };
        let mailbox = self.mailbox.clone();
        self.database.write(ChangeRelation { mailbox, agent_id, change }).await?;
        self.relation_changed(agent_id).await
    }
}
