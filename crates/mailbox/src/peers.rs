//! The rows that hold what is known about other devices and agents.

use assent_ids::Principal;
use assent_sealing::{Endpoint, Peer};
use assent_store::Tx;

use crate::{MailboxError, sealed_row::RowCipher};

const SELECT: &str = "SELECT state FROM mailbox_peers WHERE endpoint = $1";
const OF_PRINCIPAL: &str = "SELECT endpoint FROM mailbox_peers WHERE principal = $1
    ORDER BY endpoint LIMIT 64";
const OWNER: &str = "SELECT principal FROM mailbox_peers WHERE endpoint = $1";
const UPSERT: &str = "INSERT INTO mailbox_peers (endpoint, principal, state) VALUES ($1, $2, $3)
    ON CONFLICT (endpoint) DO UPDATE SET principal = excluded.principal, state = excluded.state";
const UPDATE: &str = "UPDATE mailbox_peers SET state = $2 WHERE endpoint = $1";
const DELETE: &str = "DELETE FROM mailbox_peers WHERE endpoint = $1";

fn place(endpoint: Endpoint) -> String {
    format!("mailbox_peers/{endpoint}")
}

pub(crate) fn read_endpoint(text: &str) -> Result<Endpoint, MailboxError> {
    let device = text.parse().map(Endpoint::Device);
    device
        .or_else(|_| text.parse().map(Endpoint::Agent))
        .map_err(|_| MailboxError::Damaged("endpoint"))
}

pub(crate) async fn find(
    tx: &mut Tx,
    cipher: &RowCipher,
    endpoint: Endpoint,
) -> Result<Option<Peer>, MailboxError> {
    let row = tx.optional(SELECT, &[endpoint.to_string().into()]).await?;
    let Some(row) = row else { return Ok(None) };
    let state = cipher.unseal(&place(endpoint), &row.get::<Vec<u8>>(0)?)?;
    Ok(Some(Peer::from_json(&state)?))
}

/// The devices of a person, or the agent itself.
pub(crate) async fn endpoints_of(
    tx: &mut Tx,
    principal: Principal,
) -> Result<Vec<Endpoint>, MailboxError> {
    let endpoints: Vec<String> = tx.column(OF_PRINCIPAL, &[principal.to_string().into()]).await?;
    endpoints.iter().map(|text| read_endpoint(text)).collect()
}

/// The person or agent that an endpoint belongs to.
pub(crate) async fn owner_of(
    tx: &mut Tx,
    endpoint: Endpoint,
) -> Result<Option<Principal>, MailboxError> {
    let row = tx.optional(OWNER, &[endpoint.to_string().into()]).await?;
    let Some(row) = row else { return Ok(None) };
    let owner = row.get::<String>(0)?.parse();
    owner.map(Some).map_err(|_| MailboxError::Damaged("owner of a device"))
}

pub(crate) async fn put(
    tx: &mut Tx,
    cipher: &RowCipher,
    principal: Principal,
    peer: &Peer,
) -> Result<(), MailboxError> {
    let endpoint = peer.endpoint();
    let state = cipher.seal(&place(endpoint), &peer.to_json()?);
    let values = [endpoint.to_string().into(), principal.to_string().into(), state.into()];
    Ok(tx.execute(UPSERT, &values).await?)
}

pub(crate) async fn save(tx: &mut Tx, cipher: &RowCipher, peer: &Peer) -> Result<(), MailboxError> {
    let endpoint = peer.endpoint();
    let state = cipher.seal(&place(endpoint), &peer.to_json()?);
    Ok(tx.execute(UPDATE, &[endpoint.to_string().into(), state.into()]).await?)
}

pub(crate) async fn remove(tx: &mut Tx, endpoint: Endpoint) -> Result<(), MailboxError> {
    Ok(tx.execute(DELETE, &[endpoint.to_string().into()]).await?)
}
