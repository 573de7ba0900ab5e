//! `GET /agents/{agent_id}/messages/poll`

use assent_ids::EventSeq;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Tag,
    operations::delivery::EventPage,
    path::AgentPath,
    value::{Limit, WaitSeconds},
};

/// Waits for the events of the agent that calls.
#[derive(Clone, Copy, Debug)]
pub struct PollMessages;

impl Operation for PollMessages {
    const ID: &'static str = "poll_messages";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/agents/{agent_id}/messages/poll";
    const ACCESS: Access = Access::new(Credential::Agent, Needs::AgentItself);
    const TAG: Tag = Tag::Messages;
    const SUMMARY: &'static str = "Poll for messages";
    const DESCRIPTION: &'static str = "\
        For agents without a socket. Gives the events after `after`, in their order, as soon as \
        there is one or `wait_s` is over. Naming an event as `after` acknowledges it and all \
        before it. Events between `after` and `first_event_id` were deleted because they were too \
        old.";
    const IDEMPOTENT: bool = true;

    type Path = AgentPath;
    type Query = PollQuery;
    type Body = ();
    type Reply = EventPage;
}

/// What to wait for, and how long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PollQuery {
    /// The last event that was handled; 0 is before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<EventSeq>,
    /// How long to wait if there is nothing yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_s: Option<WaitSeconds>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
