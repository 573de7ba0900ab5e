//! A page of events.

use assent_ids::EventSeq;
use assent_protocol::a2h::RelayEvent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Reply, Shape};

/// Some of the events of a recipient: `{"data":[…],"next_cursor":…,"first_event_id":…}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventPage {
    /// The events.
    pub data: Vec<RelayEvent>,
    /// Where to go on; `null` at the end.
    #[serde(default)]
    pub next_cursor: Option<String>,
    /// The first event that is kept, or the one after the last if none is. Events between `after` and this one were
    /// deleted.
    pub first_event_id: EventSeq,
}

impl Reply for EventPage {
    const SHAPE: Shape = Shape::Page;
}
