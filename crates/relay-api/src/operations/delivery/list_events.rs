//! `GET /h2a/events`

use assent_ids::EventSeq;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EventPage;
use crate::{Access, Operation, Tag, value::Limit};

/// Lists the events of the caller, for catching up.
#[derive(Clone, Copy, Debug)]
pub struct ListEvents;

impl Operation for ListEvents {
    const ID: &'static str = "list_events";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/h2a/events";
    const ACCESS: Access = Access::USER_OR_AGENT;
    const TAG: Tag = Tag::Events;
    const SUMMARY: &'static str = "Catch up on events";
    const DESCRIPTION: &'static str = "\
        The same events as on the socket, in the same order, with the same numbers. Events between \
        `after` and `first_event_id` were deleted because they were too old.";
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = EventsQuery;
    type Body = ();
    type Reply = EventPage;
}

/// Which events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventsQuery {
    /// Only events after this one; 0 is before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<EventSeq>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
