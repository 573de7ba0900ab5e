//! What becomes of a manifest that an agent has published since the person agreed to one.
//!
//! The relay says which scopes have to be agreed to again, and this device compares the manifests itself: it may add
//! scopes to what the relay says, and never takes any away. A version below the latest that was seen, and another
//! manifest under a version that was seen, are not used.

use assent_ids::ScopeId;
use assent_manifest::{Change, Diff, RuleSet, diff};

use crate::{
    DeviceError, DeviceRelation, RejectedManifest, Review, ReviewChange,
    agent_manifest::AgentManifest,
};

/// How a manifest differs from the one that the person has agreed to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comparison {
    /// The manifest that it was compared with.
    agreed: AgentManifest,
    is_breaking: bool,
    changes: Vec<ReviewChange>,
    scopes: Vec<ScopeId>,
}

/// What the relay says about the agreement to a manifest.
#[derive(Clone, Debug, Default)]
pub(crate) struct RelayNotice {
    /// Whether the person has to agree again.
    pub(crate) requires_reauth: bool,
    /// To which scopes.
    pub(crate) scopes: Vec<ScopeId>,
}

/// What is different after a manifest was considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Considered {
    /// Whether anything is different.
    pub(crate) is_news: bool,
    /// Whether calls are checked against another manifest.
    pub(crate) is_other_manifest: bool,
    /// Whether there is a review that the person has not seen.
    pub(crate) is_new_review: bool,
    /// Whether there is no review any more.
    pub(crate) is_review_gone: bool,
}

impl Considered {
    fn between(before: &DeviceRelation, after: &DeviceRelation) -> Self {
        let shown = |relation: &DeviceRelation| {
            relation.review.as_ref().and_then(|review| review.manifest.clone())
        };
        Self {
            is_news: before != after,
            is_other_manifest: before.manifest() != after.manifest(),
            is_new_review: shown(after).is_some() && shown(before) != shown(after),
            is_review_gone: before.review.is_some() && after.review.is_none(),
        }
    }
}

/// Compares a manifest with the one that the person has agreed to. It takes up to a second.
pub(crate) fn compare(
    agreed: AgentManifest,
    new: &AgentManifest,
) -> Result<Comparison, DeviceError> {
    Ok(match diff(agreed.text.as_bytes(), new.text.as_bytes(), RuleSet::Canonical) {
        Ok(diff) => comparison(agreed, diff),
        // The agreed manifest is not valid by the present rules: everything has to be agreed to again.
        Err(_) => {
            let declared = new.read()?;
            let scopes = declared.permission_scopes.iter().map(|scope| scope.id.clone());
            let scopes = scopes.collect();
            Comparison { agreed, is_breaking: true, changes: Vec::new(), scopes }
        }
    })
}

fn comparison(agreed: AgentManifest, diff: Diff) -> Comparison {
    let scopes = diff.scopes_requiring_reauth.iter().filter_map(|scope| scope.parse().ok());
    Comparison {
        agreed,
        is_breaking: diff.breaking,
        scopes: scopes.collect(),
        changes: diff.changes.into_iter().map(ReviewChange::from).collect(),
    }
}

impl From<Change> for ReviewChange {
    fn from(change: Change) -> Self {
        Self {
            rule: change.rule.as_str().to_owned(),
            path: change.path,
            breaking: change.breaking,
            summary: change.summary,
            old: change.old,
            new: change.new,
            witness: change.witness,
        }
    }
}

impl DeviceRelation {
    /// Records what the relay says before the manifest was fetched. Calls of these scopes wait from now on.
    pub(crate) fn require_reauth(&mut self, version: u64, scopes: &[ScopeId]) {
        if version <= self.agreed.version || self.has_ended() {
            return;
        }
        let review = self.review.get_or_insert_with(|| Review::new(version));
        if version > review.version {
            (review.version, review.is_refused) = (version, false);
            review.manifest = review.manifest.take().filter(|known| known.version >= version);
        }
        review.is_named_by_relay = true;
        add(&mut review.named_by_relay, scopes);
        self.drop_adopted_from(version);
    }

    /// Decides what becomes of the manifest that the relay gives now.
    pub(crate) fn consider(
        &mut self,
        manifest: &AgentManifest,
        comparison: &Comparison,
        notice: &RelayNotice,
    ) -> Result<Considered, DeviceError> {
        if comparison.agreed != self.agreed {
            // The person has agreed to another manifest meanwhile.
            return Err(DeviceError::ManifestChanged);
        }
        let before = self.clone();
        if let Some(reason) = self.reason_to_reject(manifest) {
            self.rejected = Some(RejectedManifest { version: manifest.version, reason });
            return Ok(Considered::between(&before, self));
        }
        self.rejected = None;
        self.latest = manifest.seen();
        if *manifest == self.agreed {
            (self.review, self.adopted) = (None, None);
        } else if comparison.is_breaking || notice.requires_reauth || self.review_is_named() {
            self.open_review(manifest, comparison, notice);
        } else {
            (self.review, self.adopted) = (None, Some(manifest.clone()));
        }
        Ok(Considered::between(&before, self))
    }

    fn reason_to_reject(&self, manifest: &AgentManifest) -> Option<String> {
        let (seen, given) = (self.latest.version, manifest.version);
        if given < seen {
            return Some(format!("the relay gives version {given}, and {seen} was seen before"));
        }
        if given == seen && manifest.hash != self.latest.hash {
            return Some(format!(
                "the relay gives another manifest as version {given} than before"
            ));
        }
        None
    }

    /// Returns `true` if the relay has said that the person has to agree again.
    fn review_is_named(&self) -> bool {
        self.review.as_ref().is_some_and(|review| review.is_named_by_relay)
    }

    fn open_review(
        &mut self,
        manifest: &AgentManifest,
        comparison: &Comparison,
        notice: &RelayNotice,
    ) {
        let version = manifest.version;
        let before = self.review.take().unwrap_or_else(|| Review::new(version));
        let is_same = before.manifest.as_ref() == Some(manifest);
        let mut review = Review {
            version: version.max(before.version),
            manifest: Some(manifest.clone()),
            changes: comparison.changes.clone(),
            found_here: comparison.scopes.clone(),
            is_refused: before.is_refused && is_same,
            is_named_by_relay: before.is_named_by_relay || notice.requires_reauth,
            named_by_relay: before.named_by_relay,
        };
        add(&mut review.named_by_relay, &notice.scopes);
        self.review = Some(review);
        self.drop_adopted_from(version);
    }

    fn drop_adopted_from(&mut self, version: u64) {
        self.adopted = self.adopted.take().filter(|adopted| adopted.version < version);
    }
}

fn add(scopes: &mut Vec<ScopeId>, more: &[ScopeId]) {
    for scope in more {
        if !scopes.contains(scope) {
            scopes.push(scope.clone());
        }
    }
}

#[cfg(test)]
mod tests;
