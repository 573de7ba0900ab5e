//! What is forgotten, and what stands for it.

use std::sync::Arc;

use assent_ids::{Minter, SystemEntropy};
use assent_protocol::a2h::ToolResponse;
use assent_store::{Database, Location};
use serde_json::json;

use super::*;
use crate::{
    audit::{HeadFile, Stamp},
    call_record::{AnswerId, ReceivedCall},
    device::MIGRATIONS,
    outcome::denied,
};

/// Receives and answers a call at a time.
struct Answer {
    mailbox: Mailbox,
    call: ReceivedCall,
    stamp: Stamp,
}

impl Work for Answer {
    type Output = bool;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<bool, MailboxError> {
        let (mailbox, call) = (&self.mailbox, &self.call);
        let id = AnswerId::of(call.conversation, call.agent_id, &call.call_id);
        let is_known = call_record::find(tx, mailbox, &id).await?.is_some();
        if !is_known {
            call_record::insert(tx, mailbox, &id, call, self.stamp.at).await?;
            call_record::close(tx, mailbox, &id, b"{}", 1).await?;
            let response = ToolResponse::new(call.call_id.clone(), denied("user_refused"));
            audit::append(tx, mailbox, call, &response, self.stamp).await?;
        }
        Ok(is_known)
    }
}

#[tokio::test]
async fn after_thirty_days_a_signed_checkpoint_stands_for_old_entries() {
    let directory = tempfile::tempdir().unwrap();
    let entropy = Arc::new(SystemEntropy::new().unwrap());
    let key = assent_mailbox::open_key_file(&directory.path().join("key"), &*entropy).unwrap();
    let mailbox = Mailbox::new(key, Arc::new(SystemClock), entropy.clone());
    let location = Location::Sqlite(directory.path().join("device.db"));
    let database = Database::open(&location, MIGRATIONS).await.unwrap();
    let head = HeadFile::new(directory.path());
    head.open(&database, &mailbox, &*entropy).await.unwrap();
    let minter = Minter::new(Arc::new(SystemClock), entropy);
    let days =
        |days: u64| UnixMillis::new(SystemClock.now().get()).after(Duration::from_hours(24 * days));
    let answer = |name: &str, at: UnixMillis| {
        let (mailbox, name) = (mailbox.clone(), name.parse().unwrap());
        let conversation = "cnv_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap();
        let agent = "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap();
        let call = ReceivedCall::unreadable(minter.mint(), agent, conversation, &name);
        database.write(Answer { mailbox, call, stamp: Stamp { entry_id: minter.mint(), at } })
    };
    for (name, day) in [("one", 0), ("two", 1), ("three", 20)] {
        assert!(!answer(name, days(day)).await.unwrap());
    }
    assert!(answer("one", days(2)).await.unwrap());
    let forget = |day| database.write(ForgetOld { mailbox: mailbox.clone(), now: days(day) });
    let report = async || audit::verify(&database, &mailbox).await.unwrap();
    forget(29).await.unwrap();
    assert_eq!(report().await.entries, 3);
    forget(40).await.unwrap();
    let found = report().await;
    assert!(found.ok && found.entries == 1, "{found:?}");
    // A call that was forgotten is a new one.
    assert!(!answer("one", days(40)).await.unwrap());
    let found = report().await;
    assert!(found.ok && found.entries == 2, "{found:?}");
    forget(100).await.unwrap();
    let found = report().await;
    assert!(found.ok && found.entries == 0, "{found:?}");
    assert_eq!(json!(found), json!({"ok": true, "entries": 0, "problems": []}));
}
