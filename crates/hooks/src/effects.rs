//! The effects: what a hook answers.

mod write;

use assent_policy::Decision;
use assent_protocol::agent_tool::{Behavior, HookEvent};
use assent_runtime::{HookEffects, Progress};

use crate::{
    Problems, VERSION,
    read::{At, Fields, any, document, list, object, percent, text, whole, word},
};

pub use write::write;

/// The largest count: beyond it, readers of JSON disagree about integers.
const MAX_COUNT: u64 = 1 << 53;

/// Reads an answer to a moment of `event`. An empty one is the answer of a hook without an opinion.
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
/// Everything that is wrong with it: what is not understood, and what would have no effect.
pub fn read(answer: &[u8], event: HookEvent) -> Result<HookEffects, Problems> {
    if answer.trim_ascii().is_empty() {
        return Ok(HookEffects::default());
    }
    document(answer, |at| effects(at, event))
}

/// The effects that something comes of in an event. Whoever expects more of his hook must hear of it.
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

fn effects(at: &At<'_>, event: HookEvent) -> Option<HookEffects> {
    let mut fields = Fields::of(at)?;
    fields.optional("version", version);
    let mut take = Taking { fields, event };
    Some(HookEffects {
        update_input: take.effect("update_input", object),
        decide: take.effect("decide", opinion).flatten(),
        context: take.effect("context", |at| list(at, text)).unwrap_or_default(),
        messages: take.effect("messages", |at| list(at, text)).unwrap_or_default(),
        progress: take.effect("progress", |at| list(at, progress)).unwrap_or_default(),
        stop: take.effect("stop", text),
        update_output: take.effect("update_output", any),
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
        read: impl FnOnce(&At<'d>) -> Option<T>,
    ) -> Option<T> {
        let event = self.event;
        self.fields.optional(key, |at| {
            if possible(event).contains(&key) {
                return read(at);
            }
            let possible = possible(event).join("`, `");
            at.problem(format!("`{key}` does nothing in `{event}`; possible are `{possible}`"));
            None
        })
    }
}

/// The version that this crate speaks.
pub(crate) fn version(at: &At<'_>) -> Option<u64> {
    whole(at, VERSION..=VERSION)
}

/// An opinion; `passthrough` is none.
fn opinion(at: &At<'_>) -> Option<Option<(Decision, Option<String>)>> {
    let mut fields = Fields::of(at)?;
    let behavior: Option<Behavior> = fields.required("behavior", word);
    let reason = fields.optional("reason", text);
    Some(Decision::of(behavior?).map(|decision| (decision, reason)))
}

fn progress(at: &At<'_>) -> Option<Progress> {
    let count = |at: &At<'_>| whole(at, 0..=MAX_COUNT);
    let mut fields = Fields::of(at)?;
    Some(Progress {
        message: fields.optional("message", text),
        percent: fields.optional("percent", percent),
        current_step: fields.optional("current_step", text),
        total_steps: fields.optional("total_steps", count),
        bytes_read: fields.optional("bytes_read", count),
        bytes_written: fields.optional("bytes_written", count),
        line_count: fields.optional("line_count", count),
        extra: assent_protocol::wire::Object::new(),
    })
}
