//! Effects: the answer of a hook.

mod write;

use std::borrow::Cow;

use assent_document::{
    Fields, Format, Kind, Node,
    readers::{list, number_within, text, whole, word},
};
use assent_json::Json;
use assent_policy::Decision;
use assent_protocol::agent_tool::{Behavior, HookEvent};
use assent_runtime::{HookEffects, HookStop, Progress};

use crate::{Problems, VERSION};

pub use write::write;

/// The largest count: beyond it, readers of JSON disagree about integers.
const MAX_COUNT: u64 = 1 << 53;

/// Reads the answer to a moment of `event`. A hook without an opinion gives an empty answer.
///
/// ```
/// use assent_protocol::agent_tool::HookEvent;
///
/// let answer = br#"{"decide": {"behavior": "deny", "reason": "not on a Friday"}}"#;
/// let effects = assent_hooks::effects::read(answer, HookEvent::PreToolUse)?;
/// assert!(effects.decide.is_some());
///
/// let problems = assent_hooks::effects::read(answer, HookEvent::PostToolUse).unwrap_err();
/// assert_eq!(
///     problems.to_string(),
///     "/decide (1:12): `decide` does nothing in `post_tool_use`; possible are `context`, `stop`, \
///      `update_output`, `messages`, `progress`",
/// );
/// # Ok::<(), assent_hooks::Problems>(())
/// ```
///
/// # Errors
/// Every problem of the answer, including effects that are not possible in this event.
pub fn read(answer: &[u8], event: HookEvent) -> Result<HookEffects, Problems> {
    if answer.trim_ascii().is_empty() {
        return Ok(HookEffects::default());
    }
    assent_document::read_confidential(answer, Format::Json, |node| effects(node, event))
}

/// The effects that a hook can have in an event. An answer with any other effect is refused.
#[must_use]
pub fn possible(event: HookEvent) -> &'static [&'static str] {
    match event {
        HookEvent::PreToolUse | HookEvent::PermissionRequest => {
            &["update_input", "decide", "context", "stop", "messages", "progress"]
        }
        HookEvent::PermissionDecision => &["messages", "progress"],
        HookEvent::PostToolUse => &["context", "stop", "update_output", "messages", "progress"],
        HookEvent::PostToolUseFailure => &["context", "stop", "messages", "progress"],
        HookEvent::ResultPersistence => &["persistence", "messages", "progress"],
    }
}

fn effects(node: &Node<'_>, event: HookEvent) -> Option<HookEffects> {
    let mut fields = Fields::of(node)?;
    fields.optional("version", version);
    let mut take = Taking { fields, event };
    Some(HookEffects {
        update_input: take.effect("update_input", object),
        decide: take.effect("decide", opinion).flatten(),
        context: take.effect("context", |node| list(node, text)).unwrap_or_default(),
        messages: take.effect("messages", |node| list(node, text)).unwrap_or_default(),
        progress: take.effect("progress", |node| list(node, progress)).unwrap_or_default(),
        stop: take.effect("stop", stop),
        update_output: take.effect("update_output", json),
        persistence: take.effect("persistence", word),
    })
}

/// The fields of an answer to an event.
struct Taking<'a, 'd> {
    fields: Fields<'a, 'd>,
    event: HookEvent,
}

impl<'d> Taking<'_, 'd> {
    fn effect<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&Node<'d>) -> Option<T>,
    ) -> Option<T> {
        let event = self.event;
        self.fields.optional(key, |node| {
            if possible(event).contains(&key) {
                return read(node);
            }
            let possible = possible(event).join("`, `");
            node.problem(format!("`{key}` does nothing in `{event}`; possible are `{possible}`"));
            None
        })
    }
}

/// Reads a reason to stop: a text, or an object with a code as well.
fn stop(node: &Node<'_>) -> Option<HookStop> {
    if node.kind() != Kind::Object {
        return text(node).map(HookStop::new);
    }
    let mut fields = Fields::of(node)?;
    let reason = fields.required("reason", text);
    let code = fields.optional("code", text).map(Cow::Owned);
    Some(HookStop { reason: reason?, code })
}

/// Reads the version of the document, of which there is one.
pub(crate) fn version(node: &Node<'_>) -> Option<u64> {
    whole(node, VERSION..=VERSION)
}

/// Reads an opinion; `passthrough` is none.
fn opinion(node: &Node<'_>) -> Option<Option<(Decision, Option<String>)>> {
    let mut fields = Fields::of(node)?;
    let behavior: Option<Behavior> = fields.required("behavior", word);
    let reason = fields.optional("reason", text);
    Some(Decision::of(behavior?).map(|decision| (decision, reason)))
}

fn progress(node: &Node<'_>) -> Option<Progress> {
    let count = |node: &Node<'_>| whole(node, 0..=MAX_COUNT);
    let mut fields = Fields::of(node)?;
    Some(Progress {
        message: fields.optional("message", text),
        percent: fields.optional("percent", |node| number_within(node, 0.0..=100.0)),
        current_step: fields.optional("current_step", text),
        total_steps: fields.optional("total_steps", count),
        bytes_read: fields.optional("bytes_read", count),
        bytes_written: fields.optional("bytes_written", count),
        line_count: fields.optional("line_count", count),
        extra: assent_protocol::wire::Object::new(),
    })
}

/// Reads any value.
fn json(node: &Node<'_>) -> Option<Json> {
    Json::from_value(&node.to_value()).map_err(|error| node.problem(error.kind.to_string())).ok()
}

/// Reads any object.
fn object(node: &Node<'_>) -> Option<Json> {
    if node.kind() != Kind::Object {
        node.expected("an object");
        return None;
    }
    json(node)
}
