//! Prekeys of devices and agents: every name is given once, every one-time key handed out once.
//!
//! Owners are devices and agents, by their ids. Keys stay after they were replaced or handed out, so that
//! neither a name nor a key ever comes back.

use std::collections::BTreeSet;

use assent_ids::UnixMillis;
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::{
    model::{KemPrekey, MAX_PREKEYS, OneTimePrekey, SignedPrekey},
    value::{PrekeyId, PublicKey, Signature},
};
use assent_store::{Row, StoreError, Tx};

use crate::{
    http::Refusal,
    keys::public_keys::{check_agreement, check_kem_prekey, check_signed_prekey},
    storage::{stored_id::stored as parsed, times::millis},
};

/// The statements about a table of signed keys, of which each owner has one at a time.
struct SignedKeys {
    find: &'static str,
    replace: &'static str,
    insert: &'static str,
    current: &'static str,
    forget: &'static str,
    /// Where the key is in a request.
    pointer: &'static str,
}

macro_rules! signed_keys {
    ($table:literal, $pointer:literal) => {
        SignedKeys {
            find: concat!(
                "SELECT public_key, replaced_at FROM ",
                $table,
                " WHERE owner_id = $1 AND key_id = $2"
            ),
            replace: concat!(
                "UPDATE ",
                $table,
                " SET replaced_at = $2 WHERE owner_id = $1 AND replaced_at IS NULL"
            ),
            insert: concat!(
                "INSERT INTO ",
                $table,
                " (owner_id, key_id, public_key, signature, created_at)
                VALUES ($1, $2, $3, $4, $5)"
            ),
            current: concat!(
                "SELECT key_id, public_key, signature FROM ",
                $table,
                " WHERE owner_id = $1 AND replaced_at IS NULL"
            ),
            forget: concat!("DELETE FROM ", $table, " WHERE owner_id = $1"),
            pointer: $pointer,
        }
    };
}

const SIGNED: SignedKeys = signed_keys!("signed_prekeys", "/signed_prekey");
const KEM: SignedKeys = signed_keys!("kem_prekeys", "/kem_prekey");

const INSERT_ONE_TIME: &str = "INSERT INTO one_time_prekeys
    (owner_id, key_id, public_key, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
const FIND_ONE_TIME: &str = "SELECT public_key FROM one_time_prekeys
    WHERE owner_id = $1 AND key_id = $2";
const LEFT: &str = "SELECT count(*) FROM one_time_prekeys
    WHERE owner_id = $1 AND claimed_at IS NULL";
const CLAIM: &str = "UPDATE one_time_prekeys SET claimed_at = $2
    WHERE owner_id = $1 AND key_id = (SELECT key_id FROM one_time_prekeys
        WHERE owner_id = $1 AND claimed_at IS NULL ORDER BY created_at, key_id LIMIT 1)
    RETURNING key_id, public_key";
const FORGET_ONE_TIME: &str = "DELETE FROM one_time_prekeys WHERE owner_id = $1";

/// Prekeys of one owner whose signatures and names were checked.
#[derive(Clone, Debug)]
pub(crate) struct Prekeys {
    signed: Option<SignedPrekey>,
    kem: Option<KemPrekey>,
    one_time: Vec<OneTimePrekey>,
}

/// What a first message is sealed with.
#[derive(Clone, Debug)]
pub(crate) struct Claimed {
    pub(crate) signed: SignedPrekey,
    pub(crate) kem: KemPrekey,
    /// Absent if none is left.
    pub(crate) one_time: Option<OneTimePrekey>,
}

impl Prekeys {
    /// Checks prekeys of an owner who signs with `signing`.
    pub(crate) fn check(
        signed: Option<SignedPrekey>,
        kem: Option<KemPrekey>,
        one_time: Vec<OneTimePrekey>,
        signing: &PublicKey,
    ) -> Result<Self, Refusal> {
        if let Some(signed) = &signed {
            check_signed_prekey(signed, signing)?;
        }
        if let Some(kem) = &kem {
            check_kem_prekey(kem, signing)?;
        }
        let (mut names, mut keys) = (BTreeSet::new(), BTreeSet::new());
        for (index, prekey) in one_time.iter().enumerate() {
            let pointer = format!("/one_time_prekeys/{index}");
            check_agreement(&prekey.public_key, &format!("{pointer}/public_key"))?;
            if !names.insert(&prekey.key_id) || !keys.insert(prekey.public_key) {
                let text = "another prekey of this list has the same name or the same key";
                return Err(Refusal::invalid(&pointer, text));
            }
        }
        Ok(Self { signed, kem, one_time })
    }

    /// Keeps them, and says how many one-time keys there are now.
    pub(crate) async fn publish(
        &self,
        tx: &mut Tx,
        owner: &str,
        now: UnixMillis,
    ) -> Result<u64, Refusal> {
        lock(tx, owner).await?;
        if let Some(SignedPrekey { key_id, public_key, signature }) = &self.signed {
            let key = (key_id, public_key.to_string(), signature);
            publish_signed(tx, &SIGNED, owner, key, now).await?;
        }
        if let Some(KemPrekey { key_id, public_key, signature }) = &self.kem {
            let key = (key_id, public_key.to_string(), signature);
            publish_signed(tx, &KEM, owner, key, now).await?;
        }
        for (index, prekey) in self.one_time.iter().enumerate() {
            if !publish_one_time(tx, owner, prekey, now).await? {
                return Err(reused(&format!("/one_time_prekeys/{index}")));
            }
        }
        let left = tx.scalar(LEFT, &[owner.into()]).await?;
        if usize::try_from(left).is_ok_and(|left| left <= MAX_PREKEYS) {
            return Ok(left);
        }
        let text = format!("at most {MAX_PREKEYS} one-time prekeys are kept; send fewer");
        let error = ApiError::new(ApiCode::Conflict, text).at("/one_time_prekeys");
        Err(error.with("limit", MAX_PREKEYS).into())
    }
}

/// Hands out prekeys to seal a first message with. A one-time key is handed out once. Returns `None` unless
/// the owner has both a signed prekey and a KEM prekey.
pub(crate) async fn claim(
    tx: &mut Tx,
    owner: &str,
    now: UnixMillis,
) -> Result<Option<Claimed>, StoreError> {
    lock(tx, owner).await?;
    let Some(row) = tx.optional(SIGNED.current, &[owner.into()]).await? else { return Ok(None) };
    let signed = SignedPrekey {
        key_id: name(&row, 0)?,
        public_key: parsed(&row.get::<String>(1)?)?,
        signature: parsed(&row.get::<String>(2)?)?,
    };
    let Some(kem) = current_kem(tx, owner).await? else { return Ok(None) };
    let one_time = match tx.optional(CLAIM, &[owner.into(), millis(now).into()]).await? {
        None => None,
        Some(row) => {
            let public_key = parsed(&row.get::<String>(1)?)?;
            Some(OneTimePrekey { key_id: name(&row, 0)?, public_key })
        }
    };
    Ok(Some(Claimed { signed, kem, one_time }))
}

/// The KEM prekey of an owner.
pub(crate) async fn current_kem(tx: &mut Tx, owner: &str) -> Result<Option<KemPrekey>, StoreError> {
    let Some(row) = tx.optional(KEM.current, &[owner.into()]).await? else { return Ok(None) };
    Ok(Some(KemPrekey {
        key_id: name(&row, 0)?,
        public_key: parsed(&row.get::<String>(1)?)?,
        signature: parsed(&row.get::<String>(2)?)?,
    }))
}

/// Forgets all prekeys of an owner who is gone or has other keys now.
pub(crate) async fn forget(tx: &mut Tx, owner: &str) -> Result<(), StoreError> {
    lock(tx, owner).await?;
    tx.execute(SIGNED.forget, &[owner.into()]).await?;
    tx.execute(KEM.forget, &[owner.into()]).await?;
    tx.execute(FORGET_ONE_TIME, &[owner.into()]).await?;
    Ok(())
}

/// Makes others who handle the prekeys of an owner wait for this transaction.
pub(crate) async fn lock(tx: &mut Tx, owner: &str) -> Result<(), StoreError> {
    tx.lock(&format!("prekeys:{owner}")).await
}

async fn publish_signed(
    tx: &mut Tx,
    keys: &SignedKeys,
    owner: &str,
    (key_id, public_key, signature): (&PrekeyId, String, &Signature),
    now: UnixMillis,
) -> Result<(), Refusal> {
    let key_id = column(key_id)?;
    if let Some(row) = tx.optional(keys.find, &[owner.into(), (&key_id).into()]).await? {
        let is_current = row.get::<Option<i64>>(1)?.is_none();
        let is_same = row.get::<String>(0)? == public_key;
        return if is_current && is_same { Ok(()) } else { Err(reused(keys.pointer)) };
    }
    tx.execute(keys.replace, &[owner.into(), millis(now).into()]).await?;
    let signature = signature.to_string();
    let row =
        [owner.into(), key_id.into(), public_key.into(), signature.into(), millis(now).into()];
    tx.execute(keys.insert, &row).await?;
    Ok(())
}

/// False if the name has another key, or the key another name. What is there already is not stored again:
/// it may have been handed out meanwhile.
async fn publish_one_time(
    tx: &mut Tx,
    owner: &str,
    prekey: &OneTimePrekey,
    now: UnixMillis,
) -> Result<bool, StoreError> {
    let (key_id, public_key) = (column(&prekey.key_id)?, prekey.public_key.to_string());
    let row = [owner.into(), (&key_id).into(), (&public_key).into(), millis(now).into()];
    if tx.change(INSERT_ONE_TIME, &row).await? > 0 {
        return Ok(true);
    }
    match tx.optional(FIND_ONE_TIME, &[owner.into(), key_id.into()]).await? {
        Some(row) => Ok(row.get::<String>(0)? == public_key),
        None => Ok(false),
    }
}

fn reused(pointer: &str) -> Refusal {
    let text = "this prekey, or another one with its name, was published before; make a new one";
    ApiError::new(ApiCode::Conflict, text).at(pointer).into()
}

/// A name as the tables hold it: the number 7 is another name than the text 7.
fn column(key_id: &PrekeyId) -> Result<String, StoreError> {
    serde_json::to_string(key_id).map_err(|error| StoreError::Refused(error.to_string()))
}

fn name(row: &Row, column: usize) -> Result<PrekeyId, StoreError> {
    let malformed = |_| StoreError::Refused("a prekey has a malformed name".to_owned());
    serde_json::from_str(&row.get::<String>(column)?).map_err(malformed)
}
