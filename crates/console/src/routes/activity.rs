//! `GET /activity[/:invocation]`

use assent_device::{ActivityFilter, ActivityOutcome, CallItem, CallStory};
use assent_ids::AgentId;
use assent_protocol::a2h::Page;
use axum::extract::{Path, State};
use serde::Deserialize;

use crate::{
    error::ConsoleError,
    reply::{Data, PageOf},
    request::Query,
    state::Shared,
};

/// How many items are listed if the request does not say.
const LISTED: usize = 50;

/// Which part of the activity is listed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActivityQuery {
    agent: Option<AgentId>,
    /// `asked`, `quiet`, `denied` or `failed`.
    outcome: Option<String>,
    q: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

impl ActivityQuery {
    fn filter(&self) -> Result<ActivityFilter, ConsoleError> {
        let outcome = match self.outcome.as_deref() {
            Some(word) => Some(ActivityOutcome::find(word).ok_or_else(|| {
                let text = "`outcome` is one of asked, quiet, denied, failed";
                ConsoleError::invalid(text)
            })?),
            None => None,
        };
        Ok(ActivityFilter { agent_id: self.agent, outcome, text: self.q.clone() })
    }
}

pub(super) async fn list(
    State(state): Shared,
    Query(query): Query<ActivityQuery>,
) -> Result<PageOf<CallItem>, ConsoleError> {
    let filter = query.filter()?;
    let limit = query.limit.unwrap_or(LISTED);
    let page = state.device.activity(&filter, query.cursor.as_deref(), limit).await?;
    Ok(PageOf(Page { data: page.items, next_cursor: page.next }))
}

pub(super) async fn get(
    State(state): Shared,
    Path(id): Path<String>,
) -> Result<Data<CallStory>, ConsoleError> {
    let none = || ConsoleError::not_found("call");
    let id = id.parse().map_err(|_| none())?;
    Ok(Data(state.device.call_story(id).await?.ok_or_else(none)?))
}
