//! Which entry may follow which.

use std::collections::BTreeSet;

use assent_ids::ScopeId;
use assent_json::ReadError;
use assent_protocol::wire::NotRfc3339;

use super::{LedgerAction, LedgerEntry, MAX_GRANTED_SCOPES};

/// Why an entry cannot be the next one of a chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// It is of another version.
    #[error("`v` is {0}; this knows only 1")]
    UnknownVersion(u64),
    /// `relation_key` does not name the person and the agent of the entry.
    #[error("`relation_key` is not `user_id`, a slash and `agent_id`")]
    KeyMismatch,
    /// `issued_at` is no time.
    #[error(transparent)]
    IssuedAt(#[from] NotRfc3339),
    /// A scope stands twice in `granted_scopes`.
    #[error("`granted_scopes` names `{0}` twice")]
    DuplicateScope(ScopeId),
    /// There are too many scopes.
    #[error("`granted_scopes` names more than {MAX_GRANTED_SCOPES} scopes")]
    TooManyScopes,
    /// A revocation grants something.
    #[error("a revocation grants nothing: `granted_scopes` must be empty")]
    RevocationGrants,
    /// Manifests are counted from 1.
    #[error("`manifest_version` begins at 1")]
    NoManifest,
    /// It belongs to another chain.
    #[error("it belongs to another chain than the entry before")]
    OtherChain,
    /// It names another entry before it, or none, or one that does not exist.
    #[error(
        "`prev` is not the hash of the entry before; the chain has grown, or this is another one"
    )]
    WrongPrevious,
    /// The action cannot follow.
    #[error("`{next}` cannot follow {}", .previous.map_or("the beginning".to_owned(), |word| format!("`{word}`")))]
    Action {
        /// The action of the entry before.
        previous: Option<LedgerAction>,
        /// The action of this one.
        next: LedgerAction,
    },
    /// It was signed before the entry before it.
    #[error("`issued_at` lies before that of the entry before")]
    Earlier,
    /// It was given for an older manifest than the entry before it.
    #[error("`manifest_version` is lower than that of the entry before")]
    OlderManifest,
    /// The same version of the manifest has another hash.
    #[error("`manifest_hash` is another one than before for the same `manifest_version`")]
    OtherManifest,
    /// It has no canonical form.
    #[error("the entry has no canonical form: {0}")]
    NotCanonical(#[from] ReadError),
}

impl LedgerEntry {
    /// Whether the entry makes sense by itself.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check(&self) -> Result<(), LedgerError> {
        if !self.is_known_version() {
            return Err(LedgerError::UnknownVersion(self.v));
        }
        let key = self.relation_key;
        if (key.user_id, key.agent_id) != (self.user_id, self.agent_id) {
            return Err(LedgerError::KeyMismatch);
        }
        if self.granted_scopes.len() > MAX_GRANTED_SCOPES {
            return Err(LedgerError::TooManyScopes);
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = self.granted_scopes.iter().find(|scope| !seen.insert(*scope)) {
            return Err(LedgerError::DuplicateScope(twice.clone()));
        }
        if self.action == LedgerAction::Revoke && !self.granted_scopes.is_empty() {
            return Err(LedgerError::RevocationGrants);
        }
        if self.manifest_version == 0 {
            return Err(LedgerError::NoManifest);
        }
        self.issued_at.instant()?;
        Ok(())
    }
}

/// Whether `next` may stand after `previous`, the last entry of its chain; `None` is the beginning of a chain.
///
/// A chain begins with a grant; changes follow; after a revocation only a grant starts it again. Time does not
/// run backwards, manifests do not get older, and each entry names the one before it by its hash. Whether the
/// signature is good is another question: see [`super::SignedEntry::verify`].
///
/// # Errors
/// The first rule that is broken.
pub fn check_next(previous: Option<&LedgerEntry>, next: &LedgerEntry) -> Result<(), LedgerError> {
    next.check()?;
    if let Some(previous) = previous
        && previous.relation_key != next.relation_key
    {
        return Err(LedgerError::OtherChain);
    }
    if next.prev != previous.map(LedgerEntry::digest).transpose()? {
        return Err(LedgerError::WrongPrevious);
    }
    let action = previous.map(|entry| entry.action);
    if !follows(action, next.action) {
        return Err(LedgerError::Action { previous: action, next: next.action });
    }
    previous.map_or(Ok(()), |previous| check_progress(previous, next))
}

const fn follows(previous: Option<LedgerAction>, next: LedgerAction) -> bool {
    match previous {
        None | Some(LedgerAction::Revoke) => matches!(next, LedgerAction::Grant),
        Some(LedgerAction::Grant | LedgerAction::Update) => {
            matches!(next, LedgerAction::Update | LedgerAction::Revoke)
        }
    }
}

fn check_progress(previous: &LedgerEntry, next: &LedgerEntry) -> Result<(), LedgerError> {
    if next.issued_at.instant()? < previous.issued_at.instant()? {
        return Err(LedgerError::Earlier);
    }
    if next.manifest_version < previous.manifest_version {
        return Err(LedgerError::OlderManifest);
    }
    let same_version = next.manifest_version == previous.manifest_version;
    if same_version && next.manifest_hash != previous.manifest_hash {
        return Err(LedgerError::OtherManifest);
    }
    Ok(())
}
