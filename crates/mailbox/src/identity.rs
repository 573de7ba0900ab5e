//! The row that holds the own keys.

use assent_ids::EventSeq;
use assent_sealing::{Account, Endpoint};
use assent_store::Tx;

use crate::{MailboxError, peers, sealed_row::RowCipher};

const SELECT: &str = "SELECT endpoint, account, last_event_id FROM mailbox_identity
    WHERE only_row = 1";
const INSERT: &str = "INSERT INTO mailbox_identity (only_row, account, last_event_id,
    last_position) VALUES (1, $1, 0, 0)";
const UPDATE_ACCOUNT: &str = "UPDATE mailbox_identity SET account = $1 WHERE only_row = 1";
const UPDATE_ENDPOINT: &str = "UPDATE mailbox_identity SET endpoint = $1 WHERE only_row = 1";
const UPDATE_EVENT: &str = "UPDATE mailbox_identity SET last_event_id = $1 WHERE only_row = 1";

const PLACE: &str = "mailbox_identity/account";

/// The own keys and how far events were received.
pub(crate) struct Identity {
    pub(crate) endpoint: Option<Endpoint>,
    pub(crate) account: Account,
    pub(crate) last_event_id: EventSeq,
}

impl Identity {
    pub(crate) fn registered(&self) -> Result<Endpoint, MailboxError> {
        self.endpoint.ok_or(MailboxError::NotRegistered)
    }
}

pub(crate) async fn find(
    tx: &mut Tx,
    cipher: &RowCipher,
) -> Result<Option<Identity>, MailboxError> {
    let Some(row) = tx.optional(SELECT, &[]).await? else { return Ok(None) };
    let endpoint: Option<String> = row.get(0)?;
    let account = cipher.unseal(PLACE, &row.get::<Vec<u8>>(1)?)?;
    Ok(Some(Identity {
        endpoint: endpoint.map(|text| peers::read_endpoint(&text)).transpose()?,
        account: Account::from_json(&account)?,
        last_event_id: EventSeq(row.get(2)?),
    }))
}

pub(crate) async fn load(tx: &mut Tx, cipher: &RowCipher) -> Result<Identity, MailboxError> {
    find(tx, cipher).await?.ok_or(MailboxError::NotRegistered)
}

pub(crate) async fn insert(
    tx: &mut Tx,
    cipher: &RowCipher,
    account: &Account,
) -> Result<(), MailboxError> {
    let sealed = cipher.seal(PLACE, &account.to_json()?);
    Ok(tx.execute(INSERT, &[sealed.into()]).await?)
}

pub(crate) async fn save_account(
    tx: &mut Tx,
    cipher: &RowCipher,
    account: &Account,
) -> Result<(), MailboxError> {
    let sealed = cipher.seal(PLACE, &account.to_json()?);
    Ok(tx.execute(UPDATE_ACCOUNT, &[sealed.into()]).await?)
}

pub(crate) async fn save_endpoint(tx: &mut Tx, endpoint: Endpoint) -> Result<(), MailboxError> {
    Ok(tx.execute(UPDATE_ENDPOINT, &[endpoint.to_string().into()]).await?)
}

pub(crate) async fn save_event(tx: &mut Tx, event_id: EventSeq) -> Result<(), MailboxError> {
    let event_id = i64::try_from(event_id.0).map_err(|_| MailboxError::Damaged("event number"))?;
    Ok(tx.execute(UPDATE_EVENT, &[event_id.into()]).await?)
}
