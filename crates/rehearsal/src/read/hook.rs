//! `hooks`.

use assent_ids::HookId;
use assent_protocol::{agent_tool::HookEvent, wire::Word as _};

use super::{
    at::At,
    fields::Fields,
    leaf::{any, glob, id, list, millis, object, some_millis, text, word},
    names::{self, Kind},
    nearest::listed,
    script::progress,
};
use crate::{Effect, Hook, OnFailure, vocabulary::vocabulary};

vocabulary! {
    /// What a hook can do.
    EffectWord {
        UpdateInput = "update_input",
        Decide = "decide",
        AddContext = "add_context",
        Message = "message",
        Progress = "progress",
        Stop = "stop",
        UpdateOutput = "update_output",
        Fail = "fail",
        Sleep = "sleep_ms",
    }
}

pub(super) fn hook(at: &At<'_>) -> Option<Hook> {
    let mut fields = Fields::of(at)?;
    let id = fields.required("id", own_id);
    let event = fields.required("event", word);
    let tool = fields.optional("tool", glob);
    let timeout = fields.optional("timeout_ms", some_millis);
    let on_failure = fields.optional("on_failure", word).unwrap_or(OnFailure::Closed);
    let effects = fields.required("do", |at| list(at, |at| effect(at, event)));
    Some(Hook { id: id?, event: event?, tool, timeout, on_failure, effects: effects? })
}

fn own_id(at: &At<'_>) -> Option<HookId> {
    let hook: HookId = id(at)?;
    names::give(at, Kind::Hook, hook.as_str());
    Some(hook)
}

impl EffectWord {
    /// Whether anything comes of the effect in an event, as `docs/hooks.md` has it for hooks of every
    /// kind. Breaking and taking its time a hook can always do.
    fn does_something_in(self, event: HookEvent) -> bool {
        let before = matches!(event, HookEvent::PreToolUse | HookEvent::PermissionRequest);
        let after = matches!(event, HookEvent::PostToolUse | HookEvent::PostToolUseFailure);
        match self {
            Self::UpdateInput | Self::Decide => before,
            Self::AddContext | Self::Stop => before || after,
            Self::UpdateOutput => event == HookEvent::PostToolUse,
            Self::Message | Self::Progress | Self::Fail | Self::Sleep => true,
        }
    }
}

/// Whoever expects more of an effect than comes of it in this event must hear of it.
fn check_event(at: &At<'_>, effect: EffectWord, event: HookEvent) {
    if effect.does_something_in(event) {
        return;
    }
    let words = EffectWord::WORDS.iter().copied();
    let possible = listed(words.filter(|word| word.does_something_in(event)));
    let effect = effect.word();
    at.problem(format!("`{effect}` does nothing in `{event}`; possible are {possible}"));
}

fn effect(at: &At<'_>, event: Option<HookEvent>) -> Option<Effect> {
    let mut fields = Fields::of(at)?;
    let chosen: EffectWord = fields.choice()?;
    if let Some(event) = event {
        check_event(at, chosen, event);
    }
    match chosen {
        EffectWord::UpdateInput => fields.required("update_input", object).map(Effect::UpdateInput),
        EffectWord::Decide => {
            let verdict = fields.required("decide", word);
            let reason = fields.optional("reason", text);
            verdict.map(|verdict| Effect::Decide { verdict, reason })
        }
        EffectWord::AddContext => fields.required("add_context", text).map(Effect::AddContext),
        EffectWord::Message => fields.required("message", text).map(Effect::Message),
        EffectWord::Progress => fields.required("progress", progress).map(Effect::Progress),
        EffectWord::Stop => fields.required("stop", text).map(Effect::Stop),
        EffectWord::UpdateOutput => fields.required("update_output", any).map(Effect::UpdateOutput),
        EffectWord::Fail => fields.required("fail", text).map(Effect::Fail),
        EffectWord::Sleep => fields.required("sleep_ms", millis).map(Effect::Sleep),
    }
}
