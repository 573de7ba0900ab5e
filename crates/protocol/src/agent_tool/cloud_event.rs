//! A tool event as a CloudEvent 1.0: the standard took the envelope from there and renamed it.
//!
//! <https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md>

use serde::{Deserialize, Serialize};

use super::ToolEvent;
use crate::wire::{Object, present};

/// A projection for consumers of CloudEvents. `trace_refs` and unknown fields have no place in it,
/// because CloudEvents attributes are scalars.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CloudEvent {
    /// Always `1.0`.
    pub specversion: String,
    /// `event_id`.
    pub id: String,
    /// `event_type`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// `source`.
    pub source: String,
    /// `time`.
    pub time: String,
    /// `subject`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// `invocation_id`; attribute names have no underscore.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub invocationid: Option<String>,
    /// `tool_id`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub toolid: Option<String>,
    /// `schema_version`.
    pub schemaversion: String,
    /// `application/json`, if there is `data`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub datacontenttype: Option<String>,
    /// `data`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub data: Option<Object>,
}

impl From<&ToolEvent> for CloudEvent {
    fn from(event: &ToolEvent) -> Self {
        Self {
            specversion: "1.0".to_owned(),
            id: event.event_id.to_string(),
            event_type: event.event_type.to_string(),
            source: event.source.clone(),
            time: event.time.to_string(),
            subject: event.subject.clone(),
            invocationid: event.invocation_id.as_ref().map(ToString::to_string),
            toolid: event.tool_id.as_ref().map(ToString::to_string),
            schemaversion: event.schema_version.to_string(),
            datacontenttype: event.data.is_some().then(|| "application/json".to_owned()),
            data: event.data.clone(),
        }
    }
}
