//! `GET /audit[/verify|/export]`, `POST /audit/verify`

use assent_device::{AuditEntry, AuditExport, AuditMark, AuditReport};
use assent_protocol::a2h::Page;
use axum::extract::State;
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    error::ConsoleError,
    reply::{Data, PageOf},
    request::{Body, Query},
    state::Shared,
};

/// How many entries are listed if the request does not say.
const LISTED: u32 = 200;

/// The most bytes of an exported log.
const MAX_EXPORT: usize = 64 * 1024 * 1024;

/// Which entries are listed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AuditQuery {
    limit: Option<u32>,
    /// The number of the entry before which the page begins.
    cursor: Option<u64>,
}

/// An exported log, and a head that was kept elsewhere, both as text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exported {
    export: String,
    head: Option<String>,
}

pub(super) async fn list(
    State(state): Shared,
    Query(query): Query<AuditQuery>,
) -> Result<PageOf<AuditEntry>, ConsoleError> {
    let limit = query.limit.unwrap_or(LISTED).clamp(1, LISTED);
    let items = state.device.audit(query.cursor, limit).await?;
    let last = items.last().map(|entry| entry.seq).filter(|seq| *seq > 1);
    let is_full = items.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
    let next_cursor = last.filter(|_| is_full).map(|seq| seq.to_string());
    Ok(PageOf(Page { data: items, next_cursor }))
}

pub(super) async fn verify(State(state): Shared) -> Result<Data<AuditReport>, ConsoleError> {
    Ok(Data(state.device.verify_audit().await?))
}

pub(super) async fn verify_exported(
    State(state): Shared,
    Body(exported): Body<Exported, MAX_EXPORT>,
) -> Result<Data<AuditReport>, ConsoleError> {
    let export: AuditExport = read("export", &exported.export)?;
    let head: Option<AuditMark> =
        exported.head.as_deref().map(|head| read("head", head)).transpose()?;
    Ok(Data(state.device.verify_exported_audit(&export, head).await?))
}

pub(super) async fn export(State(state): Shared) -> Result<Data<AuditExport>, ConsoleError> {
    Ok(Data(state.device.export_audit().await?))
}

fn read<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, ConsoleError> {
    serde_json::from_str(text).map_err(|error| {
        let text = format!("`{name}` is not what was exported: {error}");
        ConsoleError::invalid(text).with("pointer", format!("/{name}"))
    })
}
