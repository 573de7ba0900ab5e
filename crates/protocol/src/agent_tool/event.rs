//! `tool_event`: something that happened to a tool, a surface or a call.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/specification.md#event-classes>

use std::borrow::Cow;

use assent_ids::{EventId, InvocationId, Lax, ToolId};
use serde::{Deserialize, Serialize};

use super::{EventType, Record, RecordKind, SCHEMA_VERSION};
use crate::wire::{Count, Object, Open, Timestamp, present};

/// One event. Events of one call are in total order by `data.sequence`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolEvent {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The id of the event.
    pub event_id: Lax<EventId>,
    /// The event.
    pub event_type: Open<EventType>,
    /// The producer of the event.
    pub source: String,
    /// The time of the event.
    pub time: Timestamp,
    /// What it happened to.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The call it happened to.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub invocation_id: Option<Lax<InvocationId>>,
    /// The tool it happened to.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tool_id: Option<Lax<ToolId>>,
    /// Details.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub data: Option<Object>,
    /// Traces of it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub trace_refs: Option<Vec<Object>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolEvent {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        event_id: impl Into<Lax<EventId>>,
        event_type: impl Into<Open<EventType>>,
        source: impl Into<String>,
        time: Timestamp,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            event_id: event_id.into(),
            event_type: event_type.into(),
            source: source.into(),
            time,
            subject: None,
            invocation_id: None,
            tool_id: None,
            data: None,
            trace_refs: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolEvent {
    const KIND: RecordKind = RecordKind::ToolEvent;
}

impl ToolEvent {
    /// Its place among the events of its call, if the producer numbers them.
    #[must_use]
    pub fn sequence(&self) -> Option<u64> {
        let value = self.data.as_ref()?.get("sequence")?;
        Count::deserialize(value).ok().map(|count| count.0)
    }
}
