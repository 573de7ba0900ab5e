//! Events. Their data are ids, statuses, digests and classes of errors, never inputs or outputs.

use assent_ids::{EventId, GeneratedId, InvocationId, ToolId, Ulid, UnixMillis};
use assent_json::Digest;
use assent_protocol::{
    agent_tool::{EventType, ToolEvent},
    wire::Object,
};
use serde_json::Value;

use super::{ProjectedRecord, open_call::OpenCall};
use crate::Seq;

/// Makes the event of one entry.
pub(super) struct EventMaker<'a> {
    source: &'a str,
    at: UnixMillis,
    /// What the entry is about. The id of the event follows from it, so that two projections of a
    /// journal have the same ids, wherever its entries are stored.
    place: Place<'a>,
}

enum Place<'a> {
    Catalog(Seq),
    Call { invocation: InvocationId, step: u32, known: &'a OpenCall },
}

impl<'a> EventMaker<'a> {
    pub(super) fn of_catalog(source: &'a str, at: UnixMillis, seq: Seq) -> Self {
        Self { source, at, place: Place::Catalog(seq) }
    }

    pub(super) fn of_call(
        source: &'a str,
        at: UnixMillis,
        invocation: InvocationId,
        step: u32,
        known: &'a OpenCall,
    ) -> Self {
        Self { source, at, place: Place::Call { invocation, step, known } }
    }

    /// When it happened.
    pub(super) fn at(&self) -> UnixMillis {
        self.at
    }

    /// The call it happened to.
    pub(super) fn invocation(&self) -> Option<InvocationId> {
        match self.place {
            Place::Catalog(_) => None,
            Place::Call { invocation, .. } => Some(invocation),
        }
    }

    /// An event about a call.
    pub(super) fn event<'r>(
        &self,
        kind: EventType,
        data: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> ProjectedRecord<'r> {
        let mut event = ToolEvent::new(self.id(), kind, self.source, self.at.into());
        let mut object: Object = collect(data);
        if let Place::Call { invocation, step, known } = &self.place {
            object.insert("sequence".to_owned(), (*step).into());
            event.subject = Some(invocation.to_string());
            event.invocation_id = Some(invocation.into());
            event.tool_id = known.tool.as_ref().map(|tool| (&**tool).into());
            event.trace_refs = known.trace.as_ref().map(|trace| vec![trace_ref(trace)]);
        }
        event.data = (!object.is_empty()).then_some(object);
        Box::new(event).into()
    }

    /// An event about something else.
    pub(super) fn event_about<'r>(
        &self,
        kind: EventType,
        subject: &str,
        tool: Option<&assent_ids::Lax<ToolId>>,
    ) -> ProjectedRecord<'r> {
        let mut event = ToolEvent::new(self.id(), kind, self.source, self.at.into());
        event.subject = Some(subject.to_owned());
        event.tool_id = tool.cloned();
        Box::new(event).into()
    }

    /// The time of the entry and 80 bits that follow from its place.
    fn id(&self) -> EventId {
        let place = match &self.place {
            Place::Catalog(seq) => format!("catalog/{seq}"),
            Place::Call { invocation, step, .. } => format!("{invocation}/{step}"),
        };
        let digest = Digest::of(place.as_bytes());
        let random = digest.as_bytes().iter().take(10);
        let low = random.fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
        EventId::from_ulid(Ulid::from_bits(u128::from(self.at.get()) << 80 | low))
    }
}

/// Data without the parts that are not there.
fn collect(data: impl IntoIterator<Item = (&'static str, Value)>) -> Object {
    let there = data.into_iter().filter(|(_, value)| !value.is_null());
    there.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A value that prints.
#[expect(clippy::needless_pass_by_value, reason = "ids are small, and references print as well")]
pub(super) fn text(value: impl ToString) -> Value {
    Value::String(value.to_string())
}

/// A value that may be absent.
pub(super) fn optional(value: Option<impl ToString>) -> Value {
    value.map_or(Value::Null, text)
}

/// How a digest is written in records.
pub(super) fn digest_ref(digest: Digest) -> String {
    format!("sha256:{digest}")
}

/// A trace, from what `traceparent` says.
pub(super) fn trace_ref(traceparent: &str) -> Object {
    let mut parts = traceparent.split('-').skip(1);
    let (trace, span) = (parts.next(), parts.next());
    collect([
        ("traceparent", text(traceparent)),
        ("trace_id", optional(trace)),
        ("span_id", optional(span)),
    ])
}
