//! The transactions of the activity.

use assent_ids::{EventSeq, InvocationId, UnixMillis};
use assent_mailbox::{Mailbox, MailboxError};
use assent_store::{Tx, Work};

use super::{
    call_item::StoredCall,
    refused::{self, RefusedRecord, record_refused},
};
use crate::{AuditEntry, audit, call_record, prompt_record};

/// Removes an entry of the inbox that cannot be handled, and records it.
pub(crate) struct RefuseEntry {
    pub(crate) mailbox: Mailbox,
    pub(crate) entry: EventSeq,
    pub(crate) refused: RefusedRecord,
}

impl Work for RefuseEntry {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        record_refused(tx, &self.mailbox, &self.refused).await?;
        self.mailbox.remove_entry(tx, self.entry).await
    }
}

/// Lists calls and refused messages that came before one, newest first.
pub(super) struct ListActivity {
    pub(super) mailbox: Mailbox,
    pub(super) before: (UnixMillis, String),
    /// The most of either kind.
    pub(super) limit: u32,
}

/// Calls and refused messages, each newest first.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) calls: Vec<StoredCall>,
    pub(super) refused: Vec<RefusedRecord>,
}

impl Work for ListActivity {
    type Output = Listed;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Listed, MailboxError> {
        let (mailbox, before) = (&self.mailbox, (self.before.0, self.before.1.as_str()));
        let mut calls = Vec::new();
        for record in call_record::list(tx, mailbox, before, self.limit).await? {
            let prompt = prompt_record::of_call(tx, mailbox, record.call.invocation).await?;
            calls.push(StoredCall { record, prompt });
        }
        let refused = refused::list(tx, mailbox, before, self.limit).await?;
        Ok(Listed { calls, refused })
    }
}

/// Finds a call or a refused message.
pub(super) struct FindActivity(pub(super) Mailbox, pub(super) InvocationId);

/// A call with its entry in the audit log, or a refused message.
#[derive(Debug)]
pub(super) enum FoundActivity {
    Call(Box<StoredCall>, Option<Box<AuditEntry>>),
    Refused(RefusedRecord),
}

impl Work for FindActivity {
    type Output = Option<FoundActivity>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        let Self(mailbox, id) = self;
        let Some(record) = call_record::find_by_invocation(tx, mailbox, *id).await? else {
            return Ok(refused::find(tx, mailbox, *id).await?.map(FoundActivity::Refused));
        };
        let prompt = prompt_record::of_call(tx, mailbox, *id).await?;
        let entry = match record.audit_seq {
            Some(seq) => audit::find(tx, mailbox, seq).await?,
            None => None,
        };
        let call = StoredCall { record, prompt };
        Ok(Some(FoundActivity::Call(Box::new(call), entry.map(Box::new))))
    }
}
