//! Forgets what is older than thirty days.

use std::{sync::Arc, time::Duration};

use assent_ids::{Clock as _, SystemClock, UnixMillis};
use assent_mailbox::{Mailbox, MailboxError};
use assent_store::{Tx, Work};

use crate::{activity, audit, call_record, device::Shared};

/// How long answered calls and entries of the audit log are kept.
const PERIOD: Duration = Duration::from_hours(30 * 24);

/// How often the device looks.
const INTERVAL: Duration = Duration::from_hours(1);

/// Forgets calls with their prompts, and entries of the audit log.
struct ForgetOld {
    mailbox: Mailbox,
    now: UnixMillis,
}

impl Work for ForgetOld {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        let period = u64::try_from(PERIOD.as_millis()).unwrap_or(u64::MAX);
        let before = UnixMillis::new(self.now.get().saturating_sub(period));
        call_record::forget_before(tx, before).await?;
        activity::forget_before(tx, before).await?;
        audit::forget_before(tx, &self.mailbox, before, self.now).await
    }
}

/// Forgets what is old, now and every hour.
pub(crate) fn spawn(shared: &Arc<Shared>) {
    let (database, mailbox) = (shared.database.clone(), shared.mailbox.clone());
    shared.spawn(async move {
        loop {
            let forget = ForgetOld { mailbox: mailbox.clone(), now: SystemClock.now() };
            if let Err(error) = database.write(forget).await {
                tracing::error!(%error, "old calls cannot be removed");
            }
            tokio::time::sleep(INTERVAL).await;
        }
    });
}

#[cfg(test)]
mod tests;
