//! The ledger: a chain of signed entries per person and agent, without forks.

use std::time::Duration;

use assent_ids::{RelationId, UnixMillis, UserId};
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::{
    ledger::{LedgerEntry, LedgerError, LedgerRecord, SignedEntry, check_next},
    value::PublicKey,
};
use assent_store::{StoreError, Tx};

use crate::{
    http::Refusal,
    storage::{columns::json, times::millis},
};

/// How far the clock of a device may be ahead of ours. An entry from the far future would keep every
/// later one out of the chain.
const AHEAD: Duration = Duration::from_secs(10 * 60);

const HEAD: &str = "SELECT position, digest, entry FROM ledger_entries
    WHERE relation_id = $1 ORDER BY position DESC LIMIT 1";
const DEVICE: &str = "SELECT signing_public_key FROM devices
    WHERE device_id = $1 AND user_id = $2 AND removed_at IS NULL";
const APPEND: &str = "INSERT INTO ledger_entries
    (relation_id, position, entry, signature, digest, device_id, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const RECORDS: &str = "SELECT l.position, l.entry, l.signature, d.signing_public_key
    FROM ledger_entries l JOIN devices d ON d.device_id = l.device_id
    WHERE l.relation_id = $1 AND l.position > $2 ORDER BY l.position LIMIT $3";

/// The last entry of a chain.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    position: i64,
    digest: String,
    entry: LedgerEntry,
}

impl Head {
    /// Whether `entry` is this very entry, so that its sender only missed the answer.
    pub(crate) fn is(&self, entry: &LedgerEntry) -> bool {
        entry.digest().is_ok_and(|digest| digest.to_string() == self.digest)
    }
}

/// The last entry of the chain of `relation`.
pub(crate) async fn head(tx: &mut Tx, relation: RelationId) -> Result<Option<Head>, StoreError> {
    let Some(row) = tx.optional(HEAD, &[relation.to_string().into()]).await? else {
        return Ok(None);
    };
    let (position, digest) = (row.get(0)?, row.get(1)?);
    Ok(Some(Head { position, digest, entry: json(&row.get::<String>(2)?)? }))
}

/// Whether `signed` may follow `head`: a device of `user` signed it, and it names the entry before it.
pub(crate) async fn verify_next(
    tx: &mut Tx,
    user: UserId,
    head: Option<&Head>,
    signed: &SignedEntry,
    now: UnixMillis,
) -> Result<(), Refusal> {
    let entry = &signed.entry;
    let key = [entry.device_id.to_string().into(), user.to_string().into()];
    let Some(row) = tx.optional(DEVICE, &key).await? else {
        return Err(invalid("/entry/device_id", "this is not a device of yours"));
    };
    let key = public_key(&row.get::<String>(0)?)?;
    signed.verify(&key).map_err(|error| invalid("/signature", &error.to_string()))?;
    check_next(head.map(|head| &head.entry), entry).map_err(|error| misplaced(&error, head))?;
    let latest = i64::try_from(AHEAD.as_millis()).unwrap_or(i64::MAX).saturating_add(millis(now));
    match entry.issued_at.instant() {
        Ok(instant) if instant.as_millisecond() <= latest => Ok(()),
        _ => Err(invalid("/entry/issued_at", "this lies in the future; check the device's clock")),
    }
}

fn misplaced(error: &LedgerError, head: Option<&Head>) -> Refusal {
    if *error != LedgerError::WrongPrevious {
        return invalid("/entry", &error.to_string());
    }
    let head = head.map(|head| head.digest.clone());
    ApiError::new(ApiCode::LedgerConflict, error.to_string())
        .at("/ledger_entry/entry/prev")
        .with("ledger_head", head)
        .into()
}

/// An entry that is wrong at `place`.
pub(crate) fn invalid(place: &str, why: &str) -> Refusal {
    ApiError::new(ApiCode::InvalidLedgerEntry, why).at(format!("/ledger_entry{place}")).into()
}

/// Appends `signed` to the chain that ends with `head`. The caller holds the lock of the chain.
pub(crate) async fn append(
    tx: &mut Tx,
    relation: RelationId,
    head: Option<&Head>,
    signed: &SignedEntry,
    now: UnixMillis,
) -> Result<(), Refusal> {
    let without_form = |error: &dyn ToString| invalid("/entry", &error.to_string());
    let bytes = signed.entry.canonical_bytes().map_err(|error| without_form(&error))?;
    let digest = assent_json::Digest::of(&bytes).to_string();
    let entry = String::from_utf8(bytes).map_err(|error| without_form(&error))?;
    let row = [
        relation.to_string().into(),
        head.map_or(1, |head| head.position.saturating_add(1)).into(),
        entry.into(),
        signed.signature.to_string().into(),
        digest.into(),
        signed.entry.device_id.to_string().into(),
        millis(now).into(),
    ];
    tx.execute(APPEND, &row).await?;
    Ok(())
}

/// Entries of a chain after a position, with their positions and the keys that verify them.
pub(crate) async fn records(
    tx: &mut Tx,
    relation: RelationId,
    after: i64,
    limit: i64,
) -> Result<Vec<(i64, LedgerRecord)>, StoreError> {
    let rows = tx.all(RECORDS, &[relation.to_string().into(), after.into(), limit.into()]).await?;
    let mut records = Vec::with_capacity(rows.len());
    for row in rows {
        let wrong = |_| StoreError::Refused("a column holds a malformed signature".to_owned());
        let record = LedgerRecord {
            entry: json(&row.get::<String>(1)?)?,
            signature: row.get::<String>(2)?.parse().map_err(wrong)?,
            signing_public_key: public_key(&row.get::<String>(3)?)?,
        };
        records.push((row.get(0)?, record));
    }
    Ok(records)
}

fn public_key(text: &str) -> Result<PublicKey, StoreError> {
    text.parse().map_err(|_| StoreError::Refused("a column holds a malformed key".to_owned()))
}
