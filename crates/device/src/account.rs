//! The account of the device, and its tokens.

use std::sync::{Arc, PoisonError, RwLock};

use assent_ids::{Principal, UserId};
use assent_mailbox::{DelegateFuture, Mailbox, MailboxError, SyncDelegate};
use assent_protocol::a2h::RelayEvent;
use assent_relay_api::{
    model::Session,
    operations::accounts::{Refresh, RefreshToken},
    value::Secret,
};
use assent_relay_client::{Client, ClientError, Credentials};
use assent_sealing::Peer;
use assent_store::{Database, Tx};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::works::SaveAccount;

const SELECT: &str = "SELECT account FROM device_account WHERE only_row = 1";
const UPSERT: &str = "INSERT INTO device_account (only_row, account) VALUES (1, $1)
    ON CONFLICT (only_row) DO UPDATE SET account = excluded.account";
const PLACE: &str = "device_account";

/// The account of the device.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) user_id: UserId,
    pub(crate) email: String,
    /// The address of the relay.
    pub(crate) relay: String,
    /// What the person calls this device.
    pub(crate) device_name: String,
    /// `None` if the person has logged out.
    pub(crate) tokens: Option<Tokens>,
}

/// The tokens of a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Tokens {
    access: Secret,
    pub(crate) refresh: Secret,
}

impl Account {
    /// The account of a session; `None` if the relay gave no refresh token.
    pub(crate) fn new(
        relay: String,
        email: &str,
        device_name: &str,
        session: Session,
    ) -> Option<Self> {
        let tokens = Tokens { access: session.access_token, refresh: session.refresh_token? };
        Some(Self {
            user_id: session.user_id,
            email: email.to_owned(),
            relay,
            device_name: device_name.to_owned(),
            tokens: Some(tokens),
        })
    }

    fn credentials(&self) -> Credentials {
        let tokens = self.tokens.as_ref();
        tokens.map_or(Credentials::None, |tokens| Credentials::Bearer(tokens.access.clone()))
    }
}

pub(crate) async fn find(tx: &mut Tx, mailbox: &Mailbox) -> Result<Option<Account>, MailboxError> {
    let Some(row) = tx.optional(SELECT, &[]).await? else { return Ok(None) };
    let json = mailbox.decrypt(PLACE, &row.get::<Vec<u8>>(0)?)?;
    serde_json::from_slice(&json).map(Some).map_err(|_| MailboxError::Damaged("account"))
}

pub(crate) async fn save(
    tx: &mut Tx,
    mailbox: &Mailbox,
    account: &Account,
) -> Result<(), MailboxError> {
    let json = serde_json::to_vec(account).map_err(|_| MailboxError::Damaged("account"))?;
    Ok(tx.execute(UPSERT, &[mailbox.encrypt(PLACE, &json).into()]).await?)
}

/// A client of the relay whose token is kept current.
#[derive(Clone)]
pub(crate) struct AccountClient(Arc<Inner>);

struct Inner {
    database: Database,
    mailbox: Mailbox,
    client: RwLock<Client>,
    account: Mutex<Account>,
}

impl AccountClient {
    pub(crate) fn new(
        database: Database,
        mailbox: Mailbox,
        account: Account,
    ) -> Result<Self, ClientError> {
        let client = Client::new(&account.relay, account.credentials())?;
        Ok(Self(Arc::new(Inner {
            database,
            mailbox,
            client: RwLock::new(client),
            account: Mutex::new(account),
        })))
    }

    /// Gets another access token. A refresh token is good for one use, so that the next one is stored before it is
    /// used.
    async fn refresh(&self) -> Result<Option<Secret>, ClientError> {
        let mut account = self.0.account.lock().await;
        let Some(tokens) = &account.tokens else { return Ok(None) };
        let token = RefreshToken { refresh_token: Some(tokens.refresh.clone()) };
        let client = self.client().with_credentials(Credentials::None);
        let session = client.call::<Refresh>(&(), &(), &token).await?;
        let Some(renewed) =
            Account::new(account.relay.clone(), &account.email, &account.device_name, session)
        else {
            return Ok(None);
        };
        let save = SaveAccount(self.0.mailbox.clone(), renewed.clone());
        if let Err(error) = self.0.database.write(save).await {
            tracing::error!(%error, "the new tokens cannot be stored");
        }
        let renewed_client = self.client().with_credentials(renewed.credentials());
        *self.0.client.write().unwrap_or_else(PoisonError::into_inner) = renewed_client;
        *account = renewed;
        Ok(account.tokens.as_ref().map(|tokens| tokens.access.clone()))
    }
}

impl SyncDelegate for AccountClient {
    fn client(&self) -> Client {
        self.0.client.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn renew_token(&self) -> DelegateFuture<'_, Option<Secret>> {
        Box::pin(self.refresh())
    }

    fn find_peers<'a>(
        &'a self,
        _event: &'a RelayEvent,
    ) -> DelegateFuture<'a, Vec<(Principal, Peer)>> {
        // Agents are known from the moment at which the person adds them.
        Box::pin(std::future::ready(Ok(Vec::new())))
    }
}
