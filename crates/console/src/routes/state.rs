//! `GET /state`

use assent_device::{Language, SyncStatus};
use assent_ids::{DeviceId, UserId};
use axum::extract::State;
use serde::Serialize;

use crate::{
    error::ConsoleError,
    reply::Data,
    state::{ConsoleState, Shared},
};

/// What every page shows.
#[derive(Serialize)]
pub(super) struct StateReply {
    account: Option<AccountReply>,
    device: Option<DeviceReply>,
    relay: RelayReply,
    /// The language of texts for people; `None` leaves it to the browser.
    lang: Option<Language>,
    unattended: bool,
    counts: Counts,
}

/// The account of the device.
#[derive(Serialize)]
pub(super) struct AccountReply {
    user_id: UserId,
    email: String,
    logged_in: bool,
}

#[derive(Serialize)]
struct DeviceReply {
    device_id: Option<DeviceId>,
    name: String,
}

#[derive(Serialize)]
struct RelayReply {
    url: Option<String>,
    connected: bool,
    /// Why it is not connected.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

#[derive(Serialize)]
struct Counts {
    prompts: usize,
    reviews: usize,
    keys: usize,
}

pub(super) async fn get(State(state): Shared) -> Result<Data<StateReply>, ConsoleError> {
    let info = state.device.account().await?;
    let device = info
        .as_ref()
        .map(|info| DeviceReply { device_id: info.device_id, name: info.device_name.clone() });
    let relay = RelayReply { url: state.device.relay(), ..relay(&state) };
    let counts = counts(&state).await?;
    let (lang, unattended) = (state.device.language(), state.device.is_unattended());
    let account = account(&state).await?;
    Ok(Data(StateReply { account, device, relay, lang, unattended, counts }))
}

/// How much waits for the person.
async fn counts(state: &ConsoleState) -> Result<Counts, ConsoleError> {
    let relations = state.device.relations().await?;
    Ok(Counts {
        prompts: state.device.prompts().len(),
        reviews: state.device.reviews().await?.len(),
        keys: relations.iter().filter(|relation| relation.changed_keys.is_some()).count(),
    })
}

pub(super) async fn account(state: &ConsoleState) -> Result<Option<AccountReply>, ConsoleError> {
    Ok(state.device.account().await?.map(|info| AccountReply {
        user_id: info.user_id,
        email: info.email,
        logged_in: info.is_logged_in,
    }))
}

fn relay(state: &ConsoleState) -> RelayReply {
    let status = state.device.status().map(|status| status.borrow().clone());
    let (connected, problem) = match status {
        Some(SyncStatus::Connected) => (true, None),
        Some(SyncStatus::Disconnected(why) | SyncStatus::Ended(why)) => (false, Some(why)),
        Some(SyncStatus::Connecting) | None => (false, None),
    };
    RelayReply { url: None, connected, problem }
}
