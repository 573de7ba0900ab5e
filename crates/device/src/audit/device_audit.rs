//! The audit log of a device.

use assent_ids::Entropy;
use assent_mailbox::{Mailbox, MailboxError};
use assent_store::Database;

use super::{
    AuditEntry, AuditExport, AuditMark, AuditReport, HeadFile,
    chain::Chain,
    entry::VERSION,
    works::{ExportAudit, ListAudit, OpenAudit, SigningKey, VerifyAudit},
};
use crate::{Device, DeviceError};

/// The most entries that are returned at once.
const MAX_LISTED: u32 = 200;

impl HeadFile {
    /// Begins the audit log of a device, or goes on with it.
    pub(crate) async fn open(
        &self,
        database: &Database,
        mailbox: &Mailbox,
        entropy: &dyn Entropy,
    ) -> Result<(), MailboxError> {
        let mut salt = [0; 32];
        entropy.fill(&mut salt);
        let open = OpenAudit { mailbox: mailbox.clone(), salt, head: self.read() };
        if let Some(head) = database.write(open).await? {
            self.write(&head);
        }
        Ok(())
    }
}

/// Verifies the whole audit log without the file.
#[cfg(test)]
pub(crate) async fn verify(
    database: &Database,
    mailbox: &Mailbox,
) -> Result<AuditReport, MailboxError> {
    database.write(VerifyAudit { mailbox: mailbox.clone(), head: None }).await
}

impl Device {
    /// The entries of the audit log before a number, newest first; at most 200.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub async fn audit(
        &self,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, DeviceError> {
        let mailbox = self.shared.mailbox.clone();
        let (before, limit) = (before.unwrap_or(u64::MAX), limit.min(MAX_LISTED));
        Ok(self.shared.database.read(ListAudit { mailbox, before, limit }).await?)
    }

    /// Verifies the whole audit log, also against the file `audit.head`.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub async fn verify_audit(&self) -> Result<AuditReport, DeviceError> {
        let (mailbox, head) = (self.shared.mailbox.clone(), self.shared.audit_head.read());
        // The file was read first, so that it names no entry that the database does not have yet.
        Ok(self.shared.database.write(VerifyAudit { mailbox, head }).await?)
    }

    /// The whole audit log, to be kept elsewhere.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub async fn export_audit(&self) -> Result<AuditExport, DeviceError> {
        Ok(self.shared.database.read(ExportAudit(self.shared.mailbox.clone())).await?)
    }

    /// Verifies a log that was exported from this device, also against a head that was kept elsewhere.
    ///
    /// # Errors
    /// If the log has another version, or the state cannot be read.
    pub async fn verify_exported_audit(
        &self,
        export: &AuditExport,
        head: Option<AuditMark>,
    ) -> Result<AuditReport, DeviceError> {
        if export.v != VERSION {
            let version = export.v;
            let message = format!("this audit log has version {version}, and only 1 is known");
            return Err(DeviceError::Input(message));
        }
        let key = self.shared.database.write(SigningKey(self.shared.mailbox.clone())).await?;
        let number = |entry: &serde_json::Value| entry.get("seq")?.as_u64();
        let entries: Vec<Result<AuditEntry, u64>> = export
            .entries
            .iter()
            .map(|entry| {
                let read = serde_json::from_value(entry.clone());
                read.map_err(|_| number(entry).unwrap_or_default())
            })
            .collect();
        let heads: Vec<AuditMark> = export.head.clone().into_iter().chain(head).collect();
        let checkpoint = export.checkpoint.as_ref();
        Ok(Chain { checkpoint, entries: &entries, heads: &heads, key: &key }.verify())
    }
}
