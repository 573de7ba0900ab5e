//! `hooks`.

use assent_document::{
    Fields, Node,
    readers::{any, list, parsed, text, word},
};
use assent_ids::HookId;
use assent_protocol::{agent_tool::HookEvent, wire::Word as _};

use super::{
    context::Context,
    leaf::{glob, listed, millis, object, some_millis},
    names::{self, NameKind},
    script::progress,
};
use crate::{Effect, Hook, OnFailure, vocabulary::vocabulary};

vocabulary! {
    /// The words for effects.
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

pub(super) fn hook(node: &Node<'_>, context: &Context) -> Option<Hook> {
    let mut fields = Fields::of(node)?;
    let id = fields.required("id", |node| own_id(node, context));
    let event = fields.required("event", word);
    let tool = fields.optional("tool", glob);
    let timeout = fields.optional("timeout_ms", some_millis);
    let on_failure = fields.optional("on_failure", word).unwrap_or(OnFailure::Closed);
    let effects = fields.required("do", |node| list(node, |node| effect(node, event)));
    Some(Hook { id: id?, event: event?, tool, timeout, on_failure, effects: effects? })
}

fn own_id(node: &Node<'_>, context: &Context) -> Option<HookId> {
    let hook: HookId = parsed(node)?;
    names::declare(node, context, NameKind::Hook, hook.as_str());
    Some(hook)
}

impl EffectWord {
    /// Returns `true` if the effect has any effect in `event`; the same table as in `docs/hooks.md`. A
    /// hook can fail and sleep in every event.
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

/// Reports an effect that has no effect in this event.
fn check_event(node: &Node<'_>, effect: EffectWord, event: HookEvent) {
    if effect.does_something_in(event) {
        return;
    }
    let words = EffectWord::WORDS.iter().copied();
    let possible = listed(words.filter(|word| word.does_something_in(event)));
    let effect = effect.word();
    node.problem(format!("`{effect}` does nothing in `{event}`; possible are {possible}"));
}

fn effect(node: &Node<'_>, event: Option<HookEvent>) -> Option<Effect> {
    let mut fields = Fields::of(node)?;
    let chosen: EffectWord = fields.choice()?;
    if let Some(event) = event {
        check_event(node, chosen, event);
    }
    match chosen {
        EffectWord::UpdateInput => fields.required("update_input", object).map(Effect::UpdateInput),
        EffectWord::Decide => {
            let decision = fields.required("decide", word);
            let reason = fields.optional("reason", text);
            decision.map(|decision| Effect::Decide { decision, reason })
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
