//! Stops calls whose agent names another scope than the manifest does.

use std::sync::Arc;

use assent_protocol::agent_tool::HookEvent;
use assent_runtime::{
    Effects, HOOK_TIMEOUT, Hook, HookEffects, HookMoment, HookStop, Hooks, OnFailure, Registration,
    ToolPattern,
};

use crate::{DeviceError, prompts::Prompts};

/// The hooks of a device.
pub(crate) fn hooks(prompts: Arc<Prompts>) -> Result<Hooks, DeviceError> {
    let every_tool = ToolPattern::parse("*");
    let mut hooks = Hooks::default();
    hooks.register(Registration {
        id: "device:scope".parse()?,
        event: HookEvent::PreToolUse,
        tools: every_tool.map_err(|error| DeviceError::Input(error.to_string()))?,
        timeout: HOOK_TIMEOUT,
        on_failure: OnFailure::Closed,
        authoritative: false,
        hook: Arc::new(ScopeHook(prompts)),
    });
    Ok(hooks)
}

struct ScopeHook(Arc<Prompts>);

impl Hook for ScopeHook {
    fn run<'a>(&'a self, moment: &'a HookMoment) -> Effects<'a> {
        let mut effects = HookEffects::default();
        if self.0.names_other_scope(moment.invocation) {
            let reason = "the call names another scope than the manifest";
            effects.stop = Some(HookStop::with_code(reason, "scope_mismatch"));
        }
        Box::pin(std::future::ready(Ok(effects)))
    }
}
