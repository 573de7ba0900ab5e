//! Keeps the ledger of the relay in step with what the person has decided on this device.
//!
//! An entry is signed and stored in one transaction, then it is sent, until the relay has stored or refused it. What
//! was taken back holds from the moment at which it is stored here; what was granted holds once the relay has it.

use std::time::Duration;

use assent_ids::{AgentId, Clock as _, ScopeId, SystemClock};
use assent_mailbox::{MailboxError, SyncDelegate as _};
use assent_protocol::{a2h::ApiCode, wire::Timestamp};
use assent_relay_api::{
    ledger::{LEDGER_VERSION, LedgerAction, LedgerEntry, RelationKey},
    operations::relations::{
        ChangedGrants, CreateRelation, NewRelation, Revocation, RevokeRelation, UpdateRelation,
    },
    path::RelationPath,
};
use assent_relay_client::ClientError;

use crate::{
    DeviceError, DeviceRelation,
    agent_manifest::AgentManifest,
    device::{OwnIds, Shared},
    relation::{Established, LedgerStep, UnsentEntry},
    relation_works::{DropUnsent, SettleEntry, SignStep},
    works::HasOutgoing,
};

/// The most entries that are sent in a row. A person who does more at the same moment waits for the next connection.
const MAX_STEPS: usize = 4;

/// For this long the end of a relation waits until the last answers to the agent are sent.
const ANSWER_WAIT: Duration = Duration::from_secs(5);
const ANSWER_POLL: Duration = Duration::from_millis(20);

impl DeviceRelation {
    /// The entry that follows the last one.
    pub(crate) fn next_entry(
        &self,
        own: OwnIds,
        action: LedgerAction,
        granted_scopes: Vec<ScopeId>,
        manifest: &AgentManifest,
    ) -> Result<LedgerEntry, MailboxError> {
        let (user_id, agent_id) = (own.user_id, self.agent_id);
        Ok(LedgerEntry {
            v: LEDGER_VERSION,
            relation_key: RelationKey { user_id, agent_id },
            agent_id,
            user_id,
            device_id: own.device_id,
            action,
            granted_scopes,
            manifest_hash: manifest.hash.clone(),
            manifest_version: manifest.version,
            prev: self.ledger_head()?,
            issued_at: self.issue_time(),
        })
    }

    /// The present time, or that of the last entry if the clock was set back.
    fn issue_time(&self) -> Timestamp {
        let now = Timestamp::from(SystemClock.now());
        match self.ledger.last().map(|signed| &signed.entry.issued_at) {
            Some(last) if last.as_str() > now.as_str() => last.clone(),
            _ => now,
        }
    }
}

impl Shared {
    /// Brings the ledger of a relation in step with what the person has decided.
    ///
    /// # Errors
    /// If the relay cannot be reached, or refuses an entry, which is then dropped.
    pub(crate) async fn sync_ledger(&self, agent_id: AgentId) -> Result<(), DeviceError> {
        let _one_at_a_time = self.ledger.lock().await;
        for _ in 0..MAX_STEPS {
            let relation = self.relation_of(agent_id).await?;
            match relation.ledger_step() {
                LedgerStep::Send(unsent) => self.send_entry(&relation, *unsent).await?,
                LedgerStep::Sign(action) => self.sign_step(&relation, action).await?,
                LedgerStep::Done => return Ok(()),
            }
        }
        Ok(())
    }

    async fn sign_step(
        &self,
        relation: &DeviceRelation,
        action: LedgerAction,
    ) -> Result<(), DeviceError> {
        if action == LedgerAction::Revoke {
            self.wait_for_answers(relation).await?;
        }
        let own = self.endpoint_and_user()?;
        let agent_id = relation.agent_id;
        let sign = SignStep { mailbox: self.mailbox.clone(), own, agent_id, action };
        self.database.write(sign).await
    }

    /// Waits until the answers to the agent are sent: the relay delivers nothing after the end of a relation.
    async fn wait_for_answers(&self, relation: &DeviceRelation) -> Result<(), DeviceError> {
        let Some(known) = relation.established else { return Ok(()) };
        self.outbox_changed();
        let polls = ANSWER_WAIT.as_millis() / ANSWER_POLL.as_millis();
        for _ in 0..polls {
            let waiting = HasOutgoing(self.mailbox.clone(), known.conversation_id);
            if !self.database.read(waiting).await? {
                break;
            }
            tokio::time::sleep(ANSWER_POLL).await;
        }
        Ok(())
    }

    async fn send_entry(
        &self,
        relation: &DeviceRelation,
        unsent: UnsentEntry,
    ) -> Result<(), DeviceError> {
        let (mailbox, agent_id) = (self.mailbox.clone(), relation.agent_id);
        match self.send_to_relay(relation, unsent).await {
            Ok(established) => {
                self.database.write(SettleEntry { mailbox, agent_id, established }).await?;
                self.relation_changed(agent_id).await
            }
            Err(DeviceError::Relay(error)) if is_final(&error) => {
                self.database.write(DropUnsent { mailbox, agent_id }).await?;
                self.relation_changed(agent_id).await?;
                Err(match error.code() {
                    Some(ApiCode::ManifestChanged) => DeviceError::ManifestChanged,
                    _ => error.into(),
                })
            }
            Err(error) => Err(error),
        }
    }

    async fn send_to_relay(
        &self,
        relation: &DeviceRelation,
        unsent: UnsentEntry,
    ) -> Result<Option<Established>, DeviceError> {
        let client = self.account()?.client();
        let ledger_entry = unsent.entry;
        let entry = &ledger_entry.entry;
        let manifest_hash = entry.manifest_hash.clone();
        let granted_scopes = entry.granted_scopes.clone().try_into();
        let granted_scopes =
            granted_scopes.map_err(|_| DeviceError::Input("too many scopes".to_owned()))?;
        let path =
            relation.established.map(|known| RelationPath { relation_id: known.relation_id });
        match (entry.action, path) {
            (LedgerAction::Update, Some(path)) => {
                let change = ChangedGrants { granted_scopes, manifest_hash, ledger_entry };
                client.call::<UpdateRelation>(&path, &(), &change).await?;
                Ok(relation.established)
            }
            (LedgerAction::Revoke, Some(path)) => {
                client.call::<RevokeRelation>(&path, &(), &Revocation { ledger_entry }).await?;
                Ok(relation.established)
            }
            (LedgerAction::Grant, _) | (_, None) => {
                let agent_id = relation.agent_id;
                let new = NewRelation { agent_id, granted_scopes, manifest_hash, ledger_entry };
                let grant = client.call::<CreateRelation>(&(), &(), &new).await?;
                let (relation_id, conversation_id) = (grant.relation_id, grant.conversation_id);
                Ok(Some(Established { relation_id, conversation_id }))
            }
        }
    }
}

/// Returns `true` if the relay will never take this entry.
fn is_final(error: &ClientError) -> bool {
    use ApiCode::{SessionRevoked, TokenExpired, Unauthenticated};
    match error.code() {
        Some(Unauthenticated | TokenExpired | SessionRevoked) | None => false,
        Some(code) => !code.retryable(),
    }
}
