//! What is known about a call before a prompt about it is opened.

use assent_builtin_tools::Target;
use assent_ids::{AgentId, CallId, ConversationId};
use assent_protocol::a2h::Sensitivity;

use crate::{
    AgentTool, DeviceRelation, Language, PromptAgent, PromptScope, PromptSilence, PromptTool,
    call_record::ReceivedCall, device::Shared, scope_text, silence::SilenceKey,
};

/// What is known about a call of a declared tool.
#[derive(Clone, Debug)]
pub(crate) struct PromptSubject {
    pub(crate) call_id: CallId,
    pub(crate) conversation_id: ConversationId,
    pub(crate) agent: PromptAgent,
    pub(crate) tool: PromptTool,
    pub(crate) scope: PromptScope,
    pub(crate) target: Option<Target>,
    pub(crate) agent_reason: Option<String>,
    /// What is allowed if the person allows more than this call; `None` if they cannot.
    pub(crate) silence: Option<(SilenceKey, PromptSilence)>,
    /// Whether the agent named another scope than the one that the tool declares.
    pub(crate) names_other_scope: bool,
}

impl PromptSubject {
    pub(crate) fn new(
        shared: &Shared,
        call: &ReceivedCall,
        relation: &DeviceRelation,
        tool: &AgentTool,
    ) -> Self {
        let scope = &tool.declared.permission_scope;
        let named = call.permission_scope.as_deref();
        Self {
            call_id: call.call_id.clone(),
            conversation_id: call.conversation,
            agent: PromptAgent::of(relation),
            tool: PromptTool {
                name: call.tool.clone(),
                description: tool.declared.description_fallback.clone().unwrap_or_default(),
                served_by: tool.served_by().map(str::to_owned),
            },
            scope: scope_of(relation, tool, shared.settings.language()),
            target: shared.tools.target(tool, &call.arguments),
            agent_reason: call.reason.clone(),
            silence: silence(shared, call, relation, tool),
            names_other_scope: named.is_some_and(|named| named != scope.as_str()),
        }
    }
}

impl PromptAgent {
    /// An agent that is not one of the person's any more.
    pub(crate) const fn unknown(agent_id: AgentId) -> Self {
        Self { agent_id, name: String::new(), verified: false }
    }

    pub(crate) fn of(relation: &DeviceRelation) -> Self {
        Self {
            agent_id: relation.agent_id,
            name: relation.agent_name.clone(),
            verified: relation.is_verified,
        }
    }
}

/// The scope of a tool.
pub(crate) fn scope_of(
    relation: &DeviceRelation,
    tool: &AgentTool,
    language: Language,
) -> PromptScope {
    PromptScope {
        id: tool.declared.permission_scope.clone(),
        label: label(relation, tool, language),
        sensitivity: tool.sensitivity,
    }
}

/// What a scope is called: by this device if it knows the scope, else by the agent.
fn label(relation: &DeviceRelation, tool: &AgentTool, language: Language) -> String {
    let scope = &tool.declared.permission_scope;
    match scope_text(scope.as_str(), language) {
        Some(text) => text.label.to_owned(),
        None => relation.scope_label(scope).unwrap_or_else(|| scope.to_string()),
    }
}

fn silence(
    shared: &Shared,
    call: &ReceivedCall,
    relation: &DeviceRelation,
    tool: &AgentTool,
) -> Option<(SilenceKey, PromptSilence)> {
    let period = shared.options.timings.silence;
    if tool.sensitivity == Sensitivity::High || period.is_zero() {
        return None;
    }
    let place = shared.tools.place(tool, &call.arguments);
    let scope = tool.declared.permission_scope.as_str();
    let hash = &relation.manifest().hash;
    let key = SilenceKey::new(call.conversation, scope, hash, place.as_deref());
    Some((key, PromptSilence { seconds: period.as_secs(), place }))
}
