//! Hooks that have nothing to say.

use std::sync::Arc;

use assent_protocol::agent_tool::HookEvent;
use assent_runtime::{
    Effects, HOOK_TIMEOUT, Hook, HookEffects, HookMoment, Hooks, OnFailure, Registration,
    ToolPattern,
};

struct Agreeing;

impl Hook for Agreeing {
    fn run<'a>(&'a self, _: &'a HookMoment) -> Effects<'a> {
        Box::pin(async { Ok(HookEffects::default()) })
    }
}

pub(super) fn two_before_and_two_after() -> Hooks {
    let mut hooks = Hooks::default();
    for event in [HookEvent::PreToolUse, HookEvent::PostToolUse] {
        for number in [1, 2] {
            hooks.register(Registration {
                id: format!("{event}-{number}").parse().expect("an id"),
                event,
                tools: ToolPattern::parse("*").expect("a pattern"),
                timeout: HOOK_TIMEOUT,
                on_failure: OnFailure::default(),
                authoritative: false,
                hook: Arc::new(Agreeing),
            });
        }
    }
    hooks
}
