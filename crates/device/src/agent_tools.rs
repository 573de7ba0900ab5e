//! The tools of agents, as the runtime knows them.
//!
//! | the manifest and the person say | the runtime has |
//! |---|---|
//! | the tool is declared | a tool `agt_…/name` with the hash of the manifest in its definition |
//! | its scope is not granted, or was taken back | a block with the reason |
//! | its scope waits for a review | a block with the reason and a detail |
//! | low sensitivity | a rule that allows it |
//! | medium sensitivity | an approval that grants can spare |
//! | high sensitivity | a rule that asks, which nothing can spare |

use std::sync::Arc;

use assent_ids::ToolId;
use assent_json::Json;
use assent_policy::{Policy, RuleSpec};
use assent_protocol::{
    a2h::Sensitivity,
    agent_tool::{Behavior, ErrorClass, ExclusionReason, PersistenceStrategy},
};
use assent_runtime::{
    Block, Call, Execution, Executor, Failure, PersistencePolicy, Refusal, Runtime, ToolDefinition,
};

use crate::{
    AgentTool, DeviceError, DeviceRelation, ScopeAccess,
    outcome::{DETAIL_PREFIX, REASON_PREFIX},
    settings::LiveSettings,
    tools::Tools,
};

/// The largest result that an agent is sent, in bytes.
const MAX_RESULT_BYTES: usize = 700 * 1024;

/// Makes the runtime know the tools of all agents.
pub(crate) fn apply(
    runtime: &Runtime,
    tools: &Tools,
    settings: &LiveSettings,
    relations: &[DeviceRelation],
) -> Result<(), DeviceError> {
    let mut rules = Vec::new();
    let mut blocked = Vec::new();
    let mut definitions = Vec::new();
    for relation in relations.iter().filter(|relation| !relation.has_ended()) {
        let declared = relation.tools().unwrap_or_else(|error| {
            // The other agents go on, and the person can still end this relation.
            tracing::error!(%error, agent_id = %relation.agent_id, "a manifest cannot be read");
            Vec::new()
        });
        for tool in declared {
            let tool = settings.adapt(tool);
            let Some(definition) = definition(relation, &tool) else { continue };
            let name = format!("{}/{}", relation.agent_id, tool.declared.name);
            rules.extend(rule(&name, relation, &tool));
            if let Some(policy_refs) = refusal(tool.access) {
                let block = Block::new(name, ExclusionReason::PolicyBlocked);
                blocked.push(Block { policy_refs, ..block });
            }
            let executor = tools.executor(relation, &tool).unwrap_or_else(|| Arc::new(Unserved));
            definitions.push((definition, executor));
        }
    }
    let policy = Policy::load(rules).map_err(|problems| {
        DeviceError::UnusableAgent(problems.iter().map(ToString::to_string).collect())
    })?;
    runtime.set_policy(Arc::new(policy));
    runtime.offer(|context| context.blocked = blocked);
    register(runtime, definitions);
    Ok(())
}

/// Replaces the tools of the runtime. A tool that the catalog refuses, for example because its name looks like that of
/// another one, is left out: calls of it are refused, and nothing else changes.
fn register(runtime: &Runtime, definitions: Vec<(ToolDefinition, Arc<dyn Executor>)>) {
    runtime.change_catalog(|catalog| {
        let wanted = |id: &ToolId| {
            definitions
                .iter()
                .any(|(definition, _)| definition.declaration.tool_id.as_str() == id.as_str())
        };
        let tools = catalog.tools().map(|tool| Arc::clone(&tool.id));
        let gone: Vec<_> = tools.filter(|id| !wanted(id)).collect();
        for id in &gone {
            catalog.remove(id);
        }
        for (definition, executor) in definitions {
            let id = definition.declaration.tool_id.clone();
            if let Err(error) = catalog.register(definition, executor) {
                tracing::warn!(%error, tool = %id.as_str(), "a tool is left out");
                if let Ok(id) = id.as_str().parse::<ToolId>() {
                    catalog.remove(&id);
                }
            }
        }
    });
}

/// The definition of a tool; `None` if its name is not one that the runtime knows, so that calls of it are those of an
/// unknown tool.
fn definition(relation: &DeviceRelation, tool: &AgentTool) -> Option<ToolDefinition> {
    let namespace = relation.agent_id.to_string();
    let schema = tool.declared.input_schema.clone();
    let mut definition =
        ToolDefinition::native(&namespace, tool.declared.name.as_str(), schema).ok()?;
    if let Some(description) = &tool.declared.description_fallback {
        definition.declaration.description.clone_from(description);
    }
    let hash = relation.manifest().hash.to_string();
    let annotations = definition.declaration.annotations.get_or_insert_default();
    annotations.insert("manifest_hash".to_owned(), hash.into());
    definition.permission.approval_required = Some(tool.sensitivity != Sensitivity::Low);
    definition.persistence = PersistencePolicy {
        max_inline_bytes: Some(MAX_RESULT_BYTES),
        strategy: Some(PersistenceStrategy::NeverPersist),
        ..PersistencePolicy::default()
    };
    // The words of the agent never lower the risk.
    definition.trusted = false;
    Some(definition)
}

/// Why calls are refused, if they are.
fn refusal(access: ScopeAccess) -> Option<Vec<String>> {
    let reason = match access {
        ScopeAccess::Granted => return None,
        ScopeAccess::NotGranted | ScopeAccess::Paused => "scope_not_granted",
        ScopeAccess::Revoked => "permission_revoked",
    };
    let mut refs = vec![format!("{REASON_PREFIX}{reason}")];
    if access == ScopeAccess::Paused {
        refs.push(format!("{DETAIL_PREFIX}reauth_required"));
    }
    Some(refs)
}

fn rule(name: &str, relation: &DeviceRelation, tool: &AgentTool) -> Option<RuleSpec> {
    let (behavior, bypass_immune) = match tool.sensitivity {
        Sensitivity::Low => (Behavior::Allow, false),
        Sensitivity::Medium => return None,
        Sensitivity::High => (Behavior::Ask, true),
    };
    let mut rule = RuleSpec::new(format!("{}:{name}", tool.sensitivity), behavior);
    rule.tool = Some(name.to_owned());
    rule.actor = Some(relation.agent_id.to_string());
    rule.bypass_immune = bypass_immune;
    Some(rule)
}

/// A declared tool that this device cannot run.
struct Unserved;

impl Executor for Unserved {
    fn execute<'a>(&'a self, _call: &'a Call) -> Execution<'a> {
        let failure = Failure::new(ErrorClass::CapabilityGap, "this device has no such tool");
        Box::pin(std::future::ready(Err(failure)))
    }

    fn preflight(&self, _input: &Json) -> Result<(), Refusal> {
        let message = "this device has no such tool".to_owned();
        Err(Refusal { class: ErrorClass::CapabilityGap, message })
    }
}
