//! Stops calls before the person is asked: the agent names another scope than the manifest, or must not ask.

use std::sync::Arc;

use assent_ids::{Clock as _, InvocationId, SystemClock};
use assent_protocol::agent_tool::HookEvent;
use assent_runtime::{
    Effects, HOOK_TIMEOUT, Hook, HookEffects, HookMoment, HookStop, Hooks, OnFailure, Registration,
    ToolPattern,
};

use crate::{DeviceError, prompt_works::FindBar, prompts::Prompts, tool_standing::Barred};

/// The hooks of a device.
pub(crate) fn hooks(prompts: Arc<Prompts>) -> Result<Hooks, DeviceError> {
    let every_tool = ToolPattern::parse("*");
    let mut hooks = Hooks::default();
    hooks.register(Registration {
        id: "device:call".parse()?,
        event: HookEvent::PreToolUse,
        tools: every_tool.map_err(|error| DeviceError::Input(error.to_string()))?,
        timeout: HOOK_TIMEOUT,
        on_failure: OnFailure::Closed,
        authoritative: false,
        hook: Arc::new(CallHook(prompts)),
    });
    Ok(hooks)
}

struct CallHook(Arc<Prompts>);

impl Hook for CallHook {
    fn run<'a>(&'a self, moment: &'a HookMoment) -> Effects<'a> {
        Box::pin(async {
            Ok(HookEffects { stop: self.stop(moment.invocation).await, ..HookEffects::default() })
        })
    }
}

impl CallHook {
    async fn stop(&self, invocation: InvocationId) -> Option<HookStop> {
        let Some(call) = self.0.call(invocation) else {
            return Some(HookStop::new("the relation with the agent cannot be read"));
        };
        let subject = &call.subject;
        if subject.names_other_scope {
            let reason = "the call names another scope than the manifest";
            return Some(HookStop::with_code(reason, "scope_mismatch"));
        }
        let find = FindBar {
            mailbox: self.0.mailbox.clone(),
            agent_id: subject.agent.agent_id,
            tool: subject.tool.name.clone(),
            now: SystemClock.now(),
        };
        let reason = match self.0.database.read(find).await {
            Ok(None) => return None,
            Ok(Some(Barred::AlwaysDenied)) => "the person always refuses this tool",
            Ok(Some(Barred::Embargoed)) => "the agent must not ask for this tool at present",
            Err(error) => {
                tracing::error!(%error, "what the person has decided cannot be read");
                return Some(HookStop::new("what the person has decided cannot be read"));
            }
        };
        Some(HookStop::with_code(reason, "user_refused"))
    }
}
