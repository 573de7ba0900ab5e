//! The account of the person: registered, logged in to, and logged out of.

use std::fmt;

use assent_ids::{DeviceId, UserId};
use assent_mailbox::SyncDelegate as _;
use assent_relay_api::{
    model::Session,
    operations::accounts::{
        Credentials as LoginCredentials, ListDevices, Login, Logout, NewAccount, RefreshToken,
        Register, RegisterDevice,
    },
    value::{NewPassword, Password, Secret},
};
use assent_relay_client::{Client, Credentials};
use assent_sealing::Endpoint;

use crate::{
    Device, DeviceError,
    account::{Account, AccountClient},
    works::{ForgetTokens, LoadState, SaveAccount, SetEndpoint},
};

/// The account of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountInfo {
    /// The person.
    pub user_id: UserId,
    /// The address with which the person logs in.
    pub email: String,
    /// The address of the relay.
    pub relay: String,
    /// This device; `None` while it is being registered.
    pub device_id: Option<DeviceId>,
    /// What the person calls this device.
    pub device_name: String,
    /// Whether the person is logged in.
    pub is_logged_in: bool,
}

impl Device {
    /// The account of this device.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub async fn account(&self) -> Result<Option<AccountInfo>, DeviceError> {
        let shared = &self.shared;
        let (own, account) = shared.database.write(LoadState(shared.mailbox.clone())).await?;
        let device_id = match own.endpoint {
            Some(Endpoint::Device(device_id)) => Some(device_id),
            _ => None,
        };
        Ok(account.map(|account| AccountInfo {
            user_id: account.user_id,
            email: account.email.clone(),
            relay: account.relay.clone(),
            device_id,
            device_name: account.device_name.clone(),
            is_logged_in: account.tokens.is_some(),
        }))
    }

    /// The address of the relay that the account has, or that was chosen for it.
    #[must_use]
    pub fn relay(&self) -> Option<String> {
        self.shared.relay()
    }

    /// Chooses the relay for the account. A device with an account keeps its relay.
    ///
    /// # Errors
    /// If the device has an account of another relay, or the address cannot be used.
    pub async fn choose_relay(&self, relay: &str) -> Result<(), DeviceError> {
        Client::new(relay, Credentials::None)?;
        if let Some(account) = self.account().await?
            && account.relay != relay
        {
            return Err(DeviceError::OtherRelay(account.relay));
        }
        self.shared.set_relay(relay.to_owned());
        Ok(())
    }

    /// Makes an account and registers this device for it.
    ///
    /// # Errors
    /// If the device has an account, or the relay refuses.
    pub async fn register(
        &self,
        email: &str,
        password: &str,
        display_name: &str,
        device_name: &str,
    ) -> Result<UserId, DeviceError> {
        if self.account().await?.is_some() {
            return Err(DeviceError::HasAccount);
        }
        let relay = self.shared.relay().ok_or(DeviceError::NoRelay)?;
        let new = NewAccount {
            email: read(email.to_owned())?,
            account_password: NewPassword::try_from(Secret::from(password.to_owned()))
                .map_err(wrong)?,
            display_name: read(display_name.to_owned())?,
            device_locale: None,
            cookie: Some(false),
        };
        let client = Client::new(&relay, Credentials::None)?;
        let session = client.call::<Register>(&(), &(), &new).await?;
        let account = self.new_account(relay, email, device_name, session).await?;
        let user_id = account.user_id;
        self.register_device(account).await?;
        Ok(user_id)
    }

    /// Logs in to the account of this device, or to an account that has no device.
    ///
    /// # Errors
    /// If the relay refuses, the account has another device, or this device has another account.
    pub async fn log_in(
        &self,
        email: &str,
        password: &str,
        device_name: &str,
    ) -> Result<UserId, DeviceError> {
        let before = self.account().await?;
        if before.as_ref().is_some_and(|account| account.is_logged_in) && !self.has_ended() {
            return Err(DeviceError::HasAccount);
        }
        let relay = self.shared.relay().ok_or(DeviceError::NoRelay)?;
        let login = LoginCredentials {
            email: read(email.to_owned())?,
            account_password: Password::try_from(Secret::from(password.to_owned()))
                .map_err(wrong)?,
            cookie: Some(false),
        };
        let client = Client::new(&relay, Credentials::None)?;
        let session = client.call::<Login>(&(), &(), &login).await?;
        let bearer = Credentials::Bearer(session.access_token.clone());
        let logged_in = client.with_credentials(bearer);
        if let Err(error) = self.check_login(&logged_in, before.as_ref(), session.user_id).await {
            // The login is not used, and ends by itself if this does not arrive.
            let _ = logged_in.call::<Logout>(&(), &(), &RefreshToken::default()).await;
            return Err(error);
        }
        let account = self.new_account(relay, email, device_name, session).await?;
        let user_id = account.user_id;
        self.register_device(account).await?;
        Ok(user_id)
    }

    /// Checks that an account may be used on this device.
    async fn check_login(
        &self,
        client: &Client,
        before: Option<&AccountInfo>,
        user_id: UserId,
    ) -> Result<(), DeviceError> {
        if before.is_some_and(|account| account.user_id != user_id) {
            return Err(DeviceError::OtherAccount);
        }
        let own = before.and_then(|account| account.device_id);
        let devices = client.call::<ListDevices>(&(), &(), &()).await?;
        let is_own = |device: &assent_relay_api::model::Device| Some(device.device_id) == own;
        if devices.data.iter().all(is_own) { Ok(()) } else { Err(DeviceError::DeviceExists) }
    }

    /// Ends the session. Keys, agents and grants stay; calls of agents wait at the relay.
    ///
    /// # Errors
    /// If there is no session, or the state cannot be written.
    pub async fn log_out(&self) -> Result<(), DeviceError> {
        let shared = &self.shared;
        let (_, account) = shared.database.write(LoadState(shared.mailbox.clone())).await?;
        let account = account.filter(|account| account.tokens.is_some());
        let account = account.ok_or(DeviceError::NoAccount)?;
        shared.disconnect();
        shared.database.write(ForgetTokens(shared.mailbox.clone())).await?;
        let client = Client::new(&account.relay, Credentials::None)?;
        let tokens = account.tokens.map(|tokens| tokens.refresh);
        let ending = client.call::<Logout>(&(), &(), &RefreshToken { refresh_token: tokens }).await;
        if let Err(error) = ending {
            tracing::warn!(%error, "the relay does not know yet that the session ended");
        }
        Ok(())
    }

    /// Stores the account of a new session.
    async fn new_account(
        &self,
        relay: String,
        email: &str,
        device_name: &str,
        session: Session,
    ) -> Result<Account, DeviceError> {
        let account = Account::new(relay, email, device_name, session)
            .ok_or_else(|| DeviceError::Input("the relay gave no refresh token".to_owned()))?;
        let save = SaveAccount(self.shared.mailbox.clone(), account.clone());
        self.shared.database.write(save).await?;
        Ok(account)
    }

    /// Registers this device for the account. With the same keys it is registered once.
    pub(crate) async fn register_device(&self, account: Account) -> Result<(), DeviceError> {
        let shared = &self.shared;
        let (own, _) = shared.database.write(LoadState(shared.mailbox.clone())).await?;
        let new = own.new_device(read(account.device_name.clone())?)?;
        let client =
            AccountClient::new(shared.database.clone(), shared.mailbox.clone(), account.clone())?;
        let device = client.client().call::<RegisterDevice>(&(), &(), &new).await?;
        let endpoint = Endpoint::Device(device.device_id);
        shared.database.write(SetEndpoint(shared.mailbox.clone(), endpoint)).await?;
        shared.connect(account, device.device_id)
    }
}

fn read<T: TryFrom<String, Error: fmt::Display>>(text: String) -> Result<T, DeviceError> {
    T::try_from(text).map_err(wrong)
}

fn wrong(error: impl fmt::Display) -> DeviceError {
    DeviceError::Input(error.to_string())
}
