//! Converts a tool of the file to the definition that a producer registers.

use assent_ids::{Namespace, ParseIdError, ProviderId, ToolId};
use assent_json::Pointer;
use assent_protocol::{
    agent_tool::{
        ExecutionKind, MappingSource, MutationPolicy, RiskLevel, ToolDeclaration,
        ToolExecutionProfile, ToolExternalMapping, ToolInputContract, ToolInterface, ToolKind,
        ToolLifecycle, ToolOutputContract, ToolPermissionProfile,
    },
    wire::{Count, Loose, Millis, Object, Open},
};
use assent_runtime::{PersistencePolicy, ToolDefinition};
use serde_json::{Value, json};

use crate::{PendingProvider, Tool};

/// Creates the definition of a tool.
pub(super) fn definition(tool: &Tool) -> Result<ToolDefinition, ParseIdError> {
    let namespace: Namespace = tool.namespace().parse()?;
    let id: ToolId = tool.id().parse()?;
    let provider = match &tool.provider_pending {
        None => None,
        Some(PendingProvider::OfNamespace) => Some(namespace.to_string()),
        Some(PendingProvider::Named(name)) => Some(name.clone()),
    };
    let provider: Option<ProviderId> = provider.map(|provider| provider.parse()).transpose()?;
    Ok(ToolDefinition {
        declaration: declaration(tool, &id, &namespace),
        interface: interface(tool, &id)?,
        execution: execution(tool, &id)?,
        permission: permission(&id)?,
        locks: tool.locks.clone(),
        persistence: PersistencePolicy {
            max_inline_chars: tool
                .persistence
                .max_inline_chars
                .and_then(|chars| usize::try_from(chars).ok()),
            strategy: tool.persistence.strategy,
            ..PersistencePolicy::default()
        },
        provider,
        trusted: false,
    })
}

fn declaration(tool: &Tool, id: &ToolId, namespace: &Namespace) -> ToolDeclaration {
    // A disabled or removed tool does not become available by being deferred.
    let lifecycle = match tool.lifecycle.unwrap_or(ToolLifecycle::Available) {
        ToolLifecycle::Available if tool.deferred => ToolLifecycle::Deferred,
        lifecycle => lifecycle,
    };
    let kind = tool.tool_kind.clone().unwrap_or(Open::Known(ToolKind::Function));
    let description = tool.description.clone().unwrap_or_else(|| tool.name.to_string());
    let mut declaration = ToolDeclaration::new(
        id.clone(),
        namespace.clone(),
        tool.name.clone(),
        description,
        lifecycle,
        kind,
    );
    if !tool.aliases.is_empty() {
        declaration.aliases = Some(tool.aliases.iter().map(Into::into).collect());
    }
    declaration.title.clone_from(&tool.title);
    declaration.search_hint.clone_from(&tool.search_hint);
    declaration.input_contract = Some(Loose::Typed(input_contract(tool)));
    if let Some(schema) = &tool.output_schema {
        let mut contract = ToolOutputContract::default();
        contract.structured_schema = Some(schema.clone());
        contract.max_inline_chars = tool.persistence.max_inline_chars.map(Count);
        declaration.output_contract = Some(Loose::Typed(contract));
    }
    if !tool.external_mappings.is_empty() {
        declaration.external_mappings =
            Some(tool.external_mappings.iter().map(mapping).map(Loose::Typed).collect());
    }
    declaration
}

fn input_contract(tool: &Tool) -> ToolInputContract {
    let schema = tool.input_schema.clone().unwrap_or_else(|| json!({"type": "object"}));
    let mut contract = ToolInputContract::new(schema);
    contract.runtime_input_schema.clone_from(&tool.runtime_input_schema);
    contract.defaults =
        tool.defaults.clone().map(|defaults| Value::Object(defaults.into_iter().collect()));
    contract.sensitive_fields = pointers(&tool.sensitive_fields);
    contract.internal_only_fields = pointers(&tool.internal_only_fields);
    let policy = MutationPolicy {
        hooks: Some(tool.mutation_policy.hooks),
        prompts: Some(tool.mutation_policy.prompts),
        ..MutationPolicy::default()
    };
    contract.mutation_policy = Some(Loose::Typed(policy));
    contract
}

fn pointers(pointers: &[Pointer]) -> Option<Vec<String>> {
    let texts: Vec<String> = pointers.iter().map(|pointer| pointer.as_str().to_owned()).collect();
    (!texts.is_empty()).then_some(texts)
}

pub(super) fn mapping(object: &Object) -> ToolExternalMapping {
    let mut extra = object.clone();
    let source = match extra.remove("source") {
        Some(Value::String(source)) => Open::read(&source),
        _ => likeliest(object).into(),
    };
    let mut mapping = ToolExternalMapping::new(source);
    mapping.extra = extra;
    mapping
}

/// Returns the protocol that has most of the names.
fn likeliest(object: &Object) -> MappingSource {
    let fitting = |source: &MappingSource| {
        object.keys().filter(|key| source.fields().contains(&key.as_str())).count()
    };
    let sources = MappingSource::ALL.iter().copied();
    // Ties go to the first protocol, and `max_by_key` returns the last.
    sources.rev().max_by_key(fitting).unwrap_or(MappingSource::FunctionCalling)
}

fn interface(tool: &Tool, id: &ToolId) -> Result<ToolInterface, ParseIdError> {
    let interface: assent_ids::InterfaceId = format!("{id}#interface").parse()?;
    let mut interface = ToolInterface::new(interface, id.clone());
    interface.name = Some((&tool.name).into());
    interface.is_read_only.clone_from(&tool.safety.read_only);
    interface.is_concurrency_safe.clone_from(&tool.safety.concurrency_safe);
    interface.is_destructive.clone_from(&tool.safety.destructive);
    interface.is_open_world.clone_from(&tool.safety.open_world);
    interface.max_inline_chars = tool.persistence.max_inline_chars.map(Count);
    Ok(interface)
}

fn execution(tool: &Tool, id: &ToolId) -> Result<ToolExecutionProfile, ParseIdError> {
    let profile: assent_ids::ExecutionProfileId = format!("{id}#execution").parse()?;
    let mut profile = ToolExecutionProfile::new(profile, ExecutionKind::EmbeddedRuntime);
    profile.supports_cancel = Some(tool.supports_cancel.unwrap_or(false));
    profile.supports_resume = Some(tool.supports_resume);
    profile.supports_progress = Some(true);
    profile.supports_partial_results = Some(true);
    profile.supports_artifacts = Some(true);
    profile.supports_context_modifiers = Some(true);
    profile.supports_retries = Some(false);
    profile.supports_background = Some(false);
    profile.timeout_ms = tool.timeout.map(|timeout| Millis(timeout.0));
    Ok(profile)
}

fn permission(id: &ToolId) -> Result<ToolPermissionProfile, ParseIdError> {
    let profile: assent_ids::PermissionProfileId = format!("{id}#permission").parse()?;
    Ok(ToolPermissionProfile::new(profile, RiskLevel::Medium))
}
