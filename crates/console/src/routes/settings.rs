//! `GET|PATCH /settings`, `GET|PUT /roots`, `GET /tools`

use std::path::PathBuf;

use assent_device::{DeviceSettings, DeviceTool, SettingsChange};
use axum::extract::State;
use serde::{Deserialize, Serialize};

use crate::{error::ConsoleError, reply::Data, request::Body, state::Shared};

/// The folders that may be read.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Roots {
    roots: Vec<PathBuf>,
}

pub(super) async fn get(State(state): Shared) -> Data<DeviceSettings> {
    Data(state.device.settings())
}

pub(super) async fn change(
    State(state): Shared,
    Body(change): Body<SettingsChange>,
) -> Result<Data<DeviceSettings>, ConsoleError> {
    Ok(Data(state.device.change_settings(change).await?))
}

pub(super) async fn roots(State(state): Shared) -> Data<Roots> {
    Data(Roots { roots: state.device.roots() })
}

pub(super) async fn set_roots(
    State(state): Shared,
    Body(Roots { roots }): Body<Roots>,
) -> Result<Data<Roots>, ConsoleError> {
    Ok(Data(Roots { roots: state.device.set_roots(roots).await? }))
}

pub(super) async fn tools() -> Data<Vec<DeviceTool>> {
    Data(assent_device::device_tools())
}
