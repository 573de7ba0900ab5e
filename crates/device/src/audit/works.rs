//! The transactions of the audit log.

use assent_mailbox::{Mailbox, MailboxError};
use assent_store::{Tx, Work};
use data_encoding::{BASE64, HEXLOWER};

use super::{
    AuditEntry, AuditExport, AuditMark, AuditReport,
    chain::Chain,
    entry::VERSION,
    log::{self, AuditState},
};

/// Begins the audit log, or goes on with it. Returns the head.
pub(super) struct OpenAudit {
    pub(super) mailbox: Mailbox,
    /// The salt of a new log.
    pub(super) salt: [u8; 32],
    /// The head outside of the database.
    pub(super) head: Option<AuditMark>,
}

impl Work for OpenAudit {
    type Output = Option<AuditMark>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        let key = self.mailbox.own_state(tx).await?.keys.signing;
        let mut state = log::find_state(tx, &self.mailbox).await?.unwrap_or_else(|| AuditState {
            salt: HEXLOWER.encode(&self.salt),
            head: None,
            checkpoint: None,
        });
        let known = state.head.as_ref().map_or(0, |head| head.seq);
        // The database is an older one than the head. The next entry goes on behind the head, so that the gap shows.
        let newer = self.head.clone().filter(|head| head.seq > known && head.is_head_of(&key));
        state.head = newer.or(state.head);
        log::save_state(tx, &self.mailbox, &state).await?;
        Ok(state.head)
    }
}

/// Lists entries, newest first.
pub(super) struct ListAudit {
    pub(super) mailbox: Mailbox,
    pub(super) before: u64,
    pub(super) limit: u32,
}

impl Work for ListAudit {
    type Output = Vec<AuditEntry>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        log::list(tx, &self.mailbox, self.before, self.limit).await
    }
}

/// Verifies the whole log.
pub(super) struct VerifyAudit {
    pub(super) mailbox: Mailbox,
    /// The head outside of the database.
    pub(super) head: Option<AuditMark>,
}

impl Work for VerifyAudit {
    type Output = AuditReport;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<AuditReport, MailboxError> {
        let key = self.mailbox.own_state(tx).await?.keys.signing;
        let state = log::state(tx, &self.mailbox).await?;
        let entries = log::all(tx, &self.mailbox).await?;
        let heads: Vec<AuditMark> = state.head.into_iter().chain(self.head.clone()).collect();
        let checkpoint = state.checkpoint.as_ref();
        Ok(Chain { checkpoint, entries: &entries, heads: &heads, key: &key }.verify())
    }
}

/// Copies the whole log.
pub(super) struct ExportAudit(pub(super) Mailbox);

impl Work for ExportAudit {
    type Output = AuditExport;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<AuditExport, MailboxError> {
        let key = self.0.own_state(tx).await?.keys.signing;
        let state = log::state(tx, &self.0).await?;
        let entries = log::all(tx, &self.0).await?.into_iter();
        // What cannot be read is left out, and the file then shows that it is missing.
        let entries = entries.flatten().filter_map(|entry| serde_json::to_value(entry).ok());
        Ok(AuditExport {
            v: VERSION,
            signing_public_key: BASE64.encode(&key),
            checkpoint: state.checkpoint,
            head: state.head,
            entries: entries.collect(),
        })
    }
}

/// Returns the key that signs the log.
pub(super) struct SigningKey(pub(super) Mailbox);

impl Work for SigningKey {
    type Output = [u8; 32];
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<[u8; 32], MailboxError> {
        Ok(self.0.own_state(tx).await?.keys.signing)
    }
}
