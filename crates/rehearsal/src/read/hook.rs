//! `hooks`.

use assent_ids::HookId;

use super::{
    at::At,
    fields::Fields,
    leaf::{any, glob, id, list, millis, object, some_millis, text, word},
    names::{self, Kind},
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
    let effects = fields.required("do", |at| list(at, effect));
    Some(Hook { id: id?, event: event?, tool, timeout, on_failure, effects: effects? })
}

fn own_id(at: &At<'_>) -> Option<HookId> {
    let hook: HookId = id(at)?;
    names::give(at, Kind::Hook, hook.as_str());
    Some(hook)
}

fn effect(at: &At<'_>) -> Option<Effect> {
    let mut fields = Fields::of(at)?;
    match fields.choice()? {
        EffectWord::UpdateInput => fields.required("update_input", object).map(Effect::UpdateInput),
        EffectWord::Decide => {
            let verdict = fields.required("decide", word);
            let reason = fields.optional("reason", text);
            verdict.map(|verdict| Effect::Decide { verdict, reason })
        }
        EffectWord::AddContext => fields.required("add_context", text).map(Effect::AddContext),
        EffectWord::Message => fields.required("message", text).map(Effect::Message),
        EffectWord::Progress => fields.required("progress", object).map(Effect::Progress),
        EffectWord::Stop => fields.required("stop", text).map(Effect::Stop),
        EffectWord::UpdateOutput => fields.required("update_output", any).map(Effect::UpdateOutput),
        EffectWord::Fail => fields.required("fail", text).map(Effect::Fail),
        EffectWord::Sleep => fields.required("sleep_ms", millis).map(Effect::Sleep),
    }
}
