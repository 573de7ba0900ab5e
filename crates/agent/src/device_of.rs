//! Finds the device that messages to a person are sealed to.

use assent_ids::{RelationId, UserId};
use assent_mailbox::device_peer;
use assent_relay_api::{
    ledger::{LedgerAction, LedgerRecord, check_next},
    operations::{
        keys::{ListUserDevices, UserPath},
        relations::{GetLedger, LedgerQuery},
    },
    path::RelationPath,
};
use assent_relay_client::{Client, ClientError};
use assent_sealing::Peer;

/// The most pages of a ledger that are read.
const MAX_PAGES: usize = 1000;

/// Returns the device that signed the last `grant` of the verified ledger, with the keys that it signed with; `None` if
/// the ledger does not verify, or the person has no such device any more.
pub(crate) async fn device_of(
    client: &Client,
    relation_id: RelationId,
    user_id: UserId,
) -> Result<Option<Peer>, ClientError> {
    let records = read_ledger(client, relation_id).await?;
    let Some(grant) = last_grant(&records, user_id) else {
        tracing::warn!(%relation_id, "the ledger of the relation does not verify");
        return Ok(None);
    };
    let devices = client.call::<ListUserDevices>(&UserPath { user_id }, &(), &()).await?;
    let signer = devices.data.iter().find(|device| {
        device.device_id == grant.entry.device_id
            && device.signing_public_key == grant.signing_public_key
    });
    Ok(signer.map(device_peer))
}

async fn read_ledger(
    client: &Client,
    relation_id: RelationId,
) -> Result<Vec<LedgerRecord>, ClientError> {
    let mut records = Vec::new();
    let mut query = LedgerQuery::default();
    for _ in 0..MAX_PAGES {
        let page = client.call::<GetLedger>(&RelationPath { relation_id }, &query, &()).await?;
        records.extend(page.data);
        let Some(cursor) = page.next_cursor.and_then(|cursor| cursor.try_into().ok()) else {
            break;
        };
        query.cursor = Some(cursor);
    }
    Ok(records)
}

/// The last `grant` of a chain in which every entry follows the one before and is signed.
fn last_grant(records: &[LedgerRecord], user_id: UserId) -> Option<&LedgerRecord> {
    let mut previous: Option<&LedgerRecord> = None;
    let mut grant = None;
    for record in records {
        let before = previous.map(|record| &record.entry);
        let is_next = check_next(before, &record.entry).is_ok() && record.verify().is_ok();
        if !is_next || record.entry.user_id != user_id {
            return None;
        }
        if record.entry.action == LedgerAction::Grant {
            grant = Some(record);
        }
        previous = Some(record);
    }
    grant
}
