//! Random records of what can be called: each field set or not, each with random content.

use assent_ids::*;
use assent_protocol::{agent_tool::*, wire::*};

use super::{arbitrary::Arb, json::Gen};

impl Arb for ToolDeclaration {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(
            g.any::<Lax<ToolId>>(),
            g.any::<Lax<Namespace>>(),
            g.any::<Lax<CallableName>>(),
            g.any::<String>(),
            g.any::<ToolLifecycle>(),
            g.any::<Open<ToolKind>>(),
        );
        record.aliases = g.any();
        record.search_hint = g.any();
        record.title = g.any();
        record.capability_refs = g.any();
        record.input_contract = g.any();
        record.output_contract = g.any();
        record.interface_ref = g.any();
        record.execution_profile_ref = g.any();
        record.permission_profile_ref = g.any();
        record.external_mappings = g.any();
        record.annotations = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolNamespace {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Lax<Namespace>>(), g.any::<Open<NamespaceOrigin>>());
        record.title = g.any();
        record.description = g.any();
        record.provider_id = g.any();
        record.external_mappings = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolInterface {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Lax<InterfaceId>>(), g.any::<Lax<ToolId>>());
        record.name = g.any();
        record.aliases = g.any();
        record.search_hint = g.any();
        record.model_input_schema = g.any();
        record.runtime_input_schema = g.any();
        record.output_schema = g.any();
        record.strict = g.any();
        record.schema_visibility = g.any();
        record.is_enabled = g.any();
        record.is_read_only = g.any();
        record.is_concurrency_safe = g.any();
        record.is_destructive = g.any();
        record.is_open_world = g.any();
        record.requires_user_interaction = g.any();
        record.classifier_input = g.any();
        record.permission_matcher = g.any();
        record.execution_profile_ref = g.any();
        record.permission_profile_ref = g.any();
        record.persistence_policy_ref = g.any();
        record.max_inline_chars = g.any();
        record.rendering = g.any();
        record.external_mappings = g.any();
        record.interrupt_behavior = g.any();
        record.inferred_facts = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolSurface {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Lax<SurfaceId>>(), g.any::<Open<SurfaceScope>>());
        record.created_at = g.any();
        record.producer = g.any();
        record.tool_refs = g.any();
        record.loaded_tools = g.any();
        record.deferred_tools = g.any();
        record.blocked_tools = g.any();
        record.excluded_tools = g.any();
        record.selection_policy = g.any();
        record.default_tool_choice = g.any();
        record.capability_requirements = g.any();
        record.model_capabilities = g.any();
        record.role_constraints = g.any();
        record.surface_reason = g.any();
        record.policy_refs = g.any();
        record.runtime_refs = g.any();
        record.supersedes = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for SurfaceExclusion {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Lax<ToolId>>(), g.any::<Open<ExclusionReason>>());
        record.detail = g.any();
        record.policy_refs = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for DeferredToolRef {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(
            g.any::<Lax<ToolId>>(),
            g.any::<Lax<CallableName>>(),
            g.any::<LoadingState>(),
        );
        record.namespace = g.any();
        record.search_hint = g.any();
        record.source = g.any();
        record.schema_visibility = g.any();
        record.reason = g.any();
        record.pending_provider_or_server = g.any();
        record.selection_ref = g.any();
        record.native_ref = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolSearchResult {
    fn arb(g: &mut Gen) -> Self {
        let mut record =
            Self::new(g.any::<String>(), g.any::<Open<QueryType>>(), g.any::<Vec<SearchMatch>>());
        record.total_deferred_tools = g.any();
        record.pending_providers = g.any();
        record.missing_names = g.any();
        record.next_action = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolInputContract {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::default();
        record.model_input_schema = g.any();
        record.runtime_input_schema = g.any();
        record.strict = g.any();
        record.defaults = g.any();
        record.examples = g.any();
        record.sensitive_fields = g.any();
        record.internal_only_fields = g.any();
        record.argument_mode = g.any();
        record.mutation_policy = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolOutputContract {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::default();
        record.structured_schema = g.any();
        record.content_types = g.any();
        record.artifact_expectations = g.any();
        record.max_inline_bytes = g.any();
        record.max_inline_chars = g.any();
        record.persistence_policy_ref = g.any();
        record.rendering_boundary = g.any();
        record.redaction_rules = g.any();
        record.fallback_summary = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolExternalMapping {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Open<MappingSource>>());
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolPermissionProfile {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Lax<PermissionProfileId>>(), g.any::<RiskLevel>());
        record.access_kinds = g.any();
        record.write_effects = g.any();
        record.network_scope = g.any();
        record.tenant_scope = g.any();
        record.credential_refs = g.any();
        record.sandbox_profile = g.any();
        record.approval_required = g.any();
        record.approval_reason = g.any();
        record.permission_channel = g.any();
        record.rule_matching_fields = g.any();
        record.data_sensitivity = g.any();
        record.retention_hint = g.any();
        record.redaction_required = g.any();
        record.policy_refs = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolExecutionProfile {
    fn arb(g: &mut Gen) -> Self {
        let mut record =
            Self::new(g.any::<Lax<ExecutionProfileId>>(), g.any::<Open<ExecutionKind>>());
        record.supports_progress = g.any();
        record.supports_cancel = g.any();
        record.supports_resume = g.any();
        record.supports_retries = g.any();
        record.supports_partial_results = g.any();
        record.supports_background = g.any();
        record.supports_artifacts = g.any();
        record.supports_context_modifiers = g.any();
        record.sandboxed = g.any();
        record.sandbox_profile = g.any();
        record.timeout_ms = g.any();
        record.external_mappings = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolSchedulerPolicy {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Lax<SchedulerPolicyId>>());
        record.scope = g.any();
        record.max_parallel = g.any();
        record.ordering_policy = g.any();
        record.yield_policy = g.any();
        record.interrupt_behavior = g.any();
        record.sibling_failure_policy = g.any();
        record.context_modifier_policy = g.any();
        record.resource_locks = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ResourceLock {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<String>(), g.any::<LockMode>());
        record.extra = g.extra();
        record
    }
}
