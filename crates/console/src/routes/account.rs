//! `POST /account/register`, `/login`, `/logout`

use assent_relay_api::value::Secret;
use axum::extract::State;
use serde::Deserialize;

use super::state::{AccountReply, account};
use crate::{
    error::ConsoleError,
    reply::Data,
    request::Body,
    state::{ConsoleState, Shared},
};

/// What a device is called if the person says nothing.
const DEVICE_NAME: &str = "This device";

/// Who signs in, and where.
#[derive(Deserialize)]
pub(super) struct SignIn {
    relay: Option<String>,
    email: String,
    account_password: Secret,
    display_name: Option<String>,
    device_name: Option<String>,
}

pub(super) async fn register(
    State(state): Shared,
    Body(sign_in): Body<SignIn>,
) -> Result<Data<Option<AccountReply>>, ConsoleError> {
    choose_relay(&state, &sign_in).await?;
    let SignIn { email, account_password, display_name, device_name, .. } = sign_in;
    let display_name = display_name.as_deref().unwrap_or_else(|| name_of(&email));
    let device_name = device_name.as_deref().unwrap_or(DEVICE_NAME);
    state.device.register(&email, account_password.expose(), display_name, device_name).await?;
    Ok(Data(account(&state).await?))
}

pub(super) async fn login(
    State(state): Shared,
    Body(sign_in): Body<SignIn>,
) -> Result<Data<Option<AccountReply>>, ConsoleError> {
    choose_relay(&state, &sign_in).await?;
    let device_name = sign_in.device_name.as_deref().unwrap_or(DEVICE_NAME);
    state.device.log_in(&sign_in.email, sign_in.account_password.expose(), device_name).await?;
    Ok(Data(account(&state).await?))
}

pub(super) async fn logout(
    State(state): Shared,
) -> Result<Data<Option<AccountReply>>, ConsoleError> {
    state.device.log_out().await?;
    Ok(Data(account(&state).await?))
}

async fn choose_relay(state: &ConsoleState, sign_in: &SignIn) -> Result<(), ConsoleError> {
    match &sign_in.relay {
        Some(relay) => Ok(state.device.choose_relay(relay).await?),
        None => Ok(()),
    }
}

/// The part of an address before the `@`.
fn name_of(email: &str) -> &str {
    email.split('@').next().unwrap_or(email)
}
