//! The account that an agent belongs to.

use assent_relay_api::{
    operations::accounts::{self, Login, NewAccount, Register},
    value::{NewPassword, Password, Secret},
};
use assent_relay_client::{Client, Credentials};

use super::Failure;
use crate::{cli, password};

/// A client of the relay with the access token of the owner. An account is made if the command line says so.
pub(super) async fn sign_in(relay: &str, owner: &cli::Owner) -> Result<Client, Failure> {
    let client = Client::new(relay, Credentials::None)?;
    let token = match &owner.email {
        Some(email) => session(&client, email, owner).await?,
        None => {
            let token = std::env::var("ASSENT_TOKEN").unwrap_or_default();
            if token.trim().is_empty() {
                let message = "name the account of the owner with `--email`, or put its access token into `ASSENT_TOKEN`";
                return Err(Failure::WrongUse(message.to_owned()));
            }
            Secret::from(token.trim().to_owned())
        }
    };
    Ok(client.with_credentials(Credentials::Bearer(token)))
}

async fn session(client: &Client, email: &str, owner: &cli::Owner) -> Result<Secret, Failure> {
    let wrong = |flag: &str, error: &dyn std::fmt::Display| {
        Failure::WrongUse(format!("`{flag}` is wrong: {error}"))
    };
    let address = email.to_owned().try_into().map_err(|error| wrong("--email", &error))?;
    let password = password::read(owner.password_file.as_deref()).map_err(Failure::WrongUse)?;
    let session = match &owner.owner_name {
        Some(name) if owner.register => {
            let account = NewAccount {
                email: address,
                account_password: NewPassword::try_from(password)
                    .map_err(|error| wrong("the password", &error))?,
                display_name: name
                    .clone()
                    .try_into()
                    .map_err(|error| wrong("--owner-name", &error))?,
                device_locale: None,
                cookie: Some(false),
            };
            client.call::<Register>(&(), &(), &account).await?
        }
        _ => {
            let credentials = accounts::Credentials {
                email: address,
                account_password: Password::try_from(password)
                    .map_err(|error| wrong("the password", &error))?,
                cookie: Some(false),
            };
            client.call::<Login>(&(), &(), &credentials).await?
        }
    };
    Ok(session.access_token)
}
