//! What a person agrees to: the request, the signed entry and the facts of the relay say the same.

use std::collections::BTreeSet;

use assent_ids::{AgentId, ManifestHash, ScopeId, UserId};
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::ledger::{LedgerAction, LedgerEntry};
use assent_store::{Dialect, StoreError, Tx};

use super::ledger::invalid;
use crate::{http::Refusal, storage::stored_id::stored as id};

/// What a request says, beside the entry that has to say the same.
pub(crate) struct Consent<'a> {
    pub(crate) user: UserId,
    pub(crate) agent: AgentId,
    pub(crate) action: LedgerAction,
    pub(crate) scopes: &'a [ScopeId],
    pub(crate) manifest_hash: &'a ManifestHash,
}

impl Consent<'_> {
    /// Whether the entry says what the request says.
    pub(crate) fn check_entry(&self, entry: &LedgerEntry) -> Result<(), Refusal> {
        let set = |scopes: &[ScopeId]| scopes.iter().cloned().collect::<BTreeSet<_>>();
        let differs = |field: &str, what: &str| Err(invalid(&format!("/entry/{field}"), what));
        if entry.user_id != self.user {
            return differs("user_id", "this is not the person who asks");
        }
        if entry.agent_id != self.agent {
            return differs("agent_id", "this is not the agent of the request");
        }
        if entry.action != self.action {
            return differs("action", &format!("this must be `{}` here", self.action.as_str()));
        }
        if set(&entry.granted_scopes) != set(self.scopes) {
            return differs("granted_scopes", "this is not what the request grants");
        }
        if entry.manifest_hash != *self.manifest_hash {
            return differs("manifest_hash", "this is not the manifest of the request");
        }
        Ok(())
    }
}

/// The present manifest of an agent. On PostgreSQL no other one can be published until the transaction
/// ends, so that no person agrees to a manifest after the others were asked about the next.
const PRESENT_ON_SQLITE: &str = "SELECT capability_manifest_version, capability_manifest_hash,
        suspended_at
    FROM agents WHERE agent_id = $1 AND deleted_at IS NULL";
const PRESENT_ON_POSTGRES: &str = "SELECT capability_manifest_version, capability_manifest_hash,
        suspended_at
    FROM agents WHERE agent_id = $1 AND deleted_at IS NULL FOR SHARE";
const SCOPES: &str = "SELECT scope FROM agent_scopes WHERE agent_id = $1";

/// What an agent declares at the moment.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) version: u64,
    pub(crate) hash: Option<ManifestHash>,
    pub(crate) scopes: BTreeSet<ScopeId>,
    /// Whether the operator of the relay has suspended the agent.
    pub(crate) suspended: bool,
}

impl Declared {
    /// What `agent` declares, for the rest of the transaction.
    pub(crate) async fn by(tx: &mut Tx, agent: AgentId) -> Result<Option<Self>, StoreError> {
        let present = match tx.dialect() {
            Dialect::Sqlite => PRESENT_ON_SQLITE,
            Dialect::Postgres => PRESENT_ON_POSTGRES,
        };
        let agent_id = agent.to_string();
        let Some(row) = tx.optional(present, &[(&agent_id).into()]).await? else {
            return Ok(None);
        };
        let scopes = tx.all(SCOPES, &[agent_id.into()]).await?;
        let scopes = scopes.into_iter().map(|row| id(&row.get::<String>(0)?));
        Ok(Some(Self {
            version: row.get(0)?,
            hash: row.get::<Option<String>>(1)?.map(|text| id(&text)).transpose()?,
            suspended: row.get::<Option<i64>>(2)?.is_some(),
            scopes: scopes.collect::<Result<_, _>>()?,
        }))
    }

    /// Whether `consent` is to this manifest, and to nothing beyond it.
    pub(crate) fn check(&self, consent: &Consent<'_>, entry: &LedgerEntry) -> Result<(), Refusal> {
        if self.hash.as_ref() != Some(consent.manifest_hash) {
            return Err(self.moved());
        }
        if entry.manifest_version != self.version {
            let text = format!("the manifest with this hash has version {}", self.version);
            return Err(invalid("/entry/manifest_version", &text));
        }
        let unknown = consent.scopes.iter().filter(|scope| !self.scopes.contains(scope));
        let unknown: Vec<&ScopeId> = unknown.collect();
        if unknown.is_empty() { Ok(()) } else { Err(undeclared(&unknown)) }
    }

    fn moved(&self) -> Refusal {
        let text = "this is not the manifest that the agent has now; show it to the person first";
        ApiError::new(ApiCode::ManifestChanged, text)
            .at("/manifest_hash")
            .with("manifest_version", self.version)
            .with("manifest_hash", self.hash.as_ref().map(|hash| hash.as_str().to_owned()))
            .into()
    }
}

fn undeclared(scopes: &[&ScopeId]) -> Refusal {
    let names: Vec<String> = scopes.iter().map(ToString::to_string).collect();
    let error = ApiError::new(ApiCode::UnknownScope, "the manifest does not declare all of these");
    error.at("/granted_scopes").with("scopes", names).into()
}

/// Whether a person who was asked about `asked` has agreed, going by what is `granted` now and what was
/// granted `before`. Scopes that are no longer `declared` cannot be agreed to and do not count.
pub(crate) fn agreed(
    asked: &[ScopeId],
    before: &[ScopeId],
    granted: &[ScopeId],
    declared: &BTreeSet<ScopeId>,
) -> bool {
    let expected = if asked.is_empty() { before } else { asked };
    expected.iter().filter(|scope| declared.contains(scope)).all(|scope| granted.contains(scope))
}

#[cfg(test)]
mod tests {
    use assent_ids::ScopeId;
    use proptest::prelude::*;

    use super::agreed;

    fn scopes() -> impl Strategy<Value = Vec<ScopeId>> {
        let scope = (0_u8..6).prop_map(|n| format!("area:action{n}").parse().unwrap());
        prop::collection::vec(scope, 0..6)
    }

    proptest! {
        #[test]
        fn granting_more_never_turns_a_yes_into_a_no(
            asked in scopes(),
            before in scopes(),
            granted in scopes(),
            more in scopes(),
            declared in scopes(),
        ) {
            let declared = declared.into_iter().collect();
            let all = [granted.clone(), more].concat();
            if agreed(&asked, &before, &granted, &declared) {
                prop_assert!(agreed(&asked, &before, &all, &declared));
            }
        }

        #[test]
        fn who_grants_everything_asked_for_agrees_and_who_leaves_something_out_does_not(
            asked in scopes(),
            before in scopes(),
            rest in scopes(),
        ) {
            let declared = [asked.clone(), before.clone()].concat().into_iter().collect();
            let granted = [asked.clone(), rest].concat();
            if let Some(left_out) = asked.first() {
                prop_assert!(agreed(&asked, &before, &granted, &declared));
                let less: Vec<_> = granted.into_iter().filter(|scope| scope != left_out).collect();
                prop_assert!(!agreed(&asked, &before, &less, &declared));
            }
        }
    }
}
