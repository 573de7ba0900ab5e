//! Random records of what happens to a call: each field set or not, each with random content.

use assent_ids::*;
use assent_protocol::{agent_tool::*, wire::*};

use super::{arbitrary::Arb, json::Gen};

impl Arb for ToolPermissionDecision {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(
            g.any::<Lax<DecisionId>>(),
            g.any::<Lax<InvocationId>>(),
            g.any::<Behavior>(),
            g.any::<Timestamp>(),
        );
        record.mode = g.any();
        record.source = g.any();
        record.reason = g.any();
        record.rule_refs = g.any();
        record.policy_refs = g.any();
        record.updated_input = g.any();
        record.updated_input_ref = g.any();
        record.user_modified = g.any();
        record.suggested_updates = g.any();
        record.pending_classifier_check = g.any();
        record.blocked_path = g.any();
        record.content_blocks = g.any();
        record.accept_feedback = g.any();
        record.expires_at = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for DecisionReason {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Open<ReasonType>>());
        record.message = g.any();
        record.rule_ref = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolHook {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Lax<HookId>>(), g.any::<HookEvent>());
        record.invocation_id = g.any();
        record.tool_id = g.any();
        record.matcher = g.any();
        record.outputs = g.any();
        record.permission_result = g.any();
        record.updated_input = g.any();
        record.additional_context = g.any();
        record.stop = g.any();
        record.updated_output = g.any();
        record.started_at = g.any();
        record.ended_at = g.any();
        record.hook_run_id = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for HookOutput {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Open<HookOutputKind>>());
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolInputMutation {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(
            g.any::<Lax<MutationId>>(),
            g.any::<Lax<InvocationId>>(),
            g.any::<MutationSource>(),
            g.any::<Timestamp>(),
        );
        record.source_ref = g.any();
        record.from_input_ref = g.any();
        record.to_input_ref = g.any();
        record.changed_fields = g.any();
        record.reason = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for SchedulerFacts {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::default();
        record.is_concurrency_safe = g.any();
        record.is_read_only = g.any();
        record.is_destructive = g.any();
        record.is_open_world = g.any();
        record.requires_exclusive_context = g.any();
        record.context_modifier_policy = g.any();
        record.interrupt_behavior = g.any();
        record.resource_locks = g.any();
        record.queue_state = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolInvocation {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(
            g.any::<Lax<InvocationId>>(),
            g.any::<Lax<ToolId>>(),
            g.any::<Open<InvocationStatus>>(),
            g.any::<Timestamp>(),
        );
        record.surface_id = g.any();
        record.native_call_id = g.any();
        record.model_input = g.any();
        record.model_input_ref = g.any();
        record.observable_input = g.any();
        record.observable_input_ref = g.any();
        record.permission_input = g.any();
        record.permission_input_ref = g.any();
        record.call_input = g.any();
        record.call_input_ref = g.any();
        record.actor_ref = g.any();
        record.runtime_refs = g.any();
        record.policy_refs = g.any();
        record.permission_decision_refs = g.any();
        record.hook_refs = g.any();
        record.evidence_refs = g.any();
        record.telemetry_refs = g.any();
        record.artifact_refs = g.any();
        record.scheduler_policy_ref = g.any();
        record.status_transitions = g.any();
        record.started_at = g.any();
        record.ended_at = g.any();
        record.scheduler = g.any();
        record.depends_on = g.any();
        record.mutation_refs = g.any();
        record.attempt = g.any();
        record.retry_of = g.any();
        record.result_ref = g.any();
        record.external_mappings = g.any();
        record.requested_name = g.any();
        record.schema_digest = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolProgress {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(
            g.any::<Lax<ProgressId>>(),
            g.any::<Lax<InvocationId>>(),
            g.any::<Count>(),
            g.any::<Open<ProgressStatus>>(),
            g.any::<Timestamp>(),
        );
        record.message = g.any();
        record.percent = g.any();
        record.current_step = g.any();
        record.total_steps = g.any();
        record.elapsed_ms = g.any();
        record.bytes_read = g.any();
        record.bytes_written = g.any();
        record.line_count = g.any();
        record.task_id = g.any();
        record.partial_result_refs = g.any();
        record.artifact_refs = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolResult {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(
            g.any::<Lax<ResultId>>(),
            g.any::<Lax<InvocationId>>(),
            g.any::<Open<ResultStatus>>(),
            g.any::<Timestamp>(),
        );
        record.is_error = g.any();
        record.content = g.any();
        record.structured_content = g.any();
        record.model_facing_content = g.any();
        record.ui_facing_summary = g.any();
        record.resource_refs = g.any();
        record.artifact_refs = g.any();
        record.evidence_refs = g.any();
        record.policy_refs = g.any();
        record.telemetry_refs = g.any();
        record.persistence_refs = g.any();
        record.summary = g.any();
        record.redaction_state = g.any();
        record.error = g.any();
        record.input_mutations = g.any();
        record.empty_result = g.any();
        record.synthetic = g.any();
        record.warnings = g.any();
        record.output_hook_refs = g.any();
        record.content_digest = g.any();
        record.native_output_ref = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ContentBlock {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Open<ContentClass>>());
        record.text = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ArtifactRef {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Lax<ArtifactId>>());
        record.uri = g.any();
        record.media_type = g.any();
        record.digest = g.any();
        record.access = g.any();
        record.source_relation = g.any();
        record.redaction_state = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ResourceRef {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<String>());
        record.resource_id = g.any();
        record.native_ref = g.any();
        record.media_type = g.any();
        record.digest = g.any();
        record.access = g.any();
        record.source_relation = g.any();
        record.redaction_state = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolResultPersistence {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(
            g.any::<Lax<PersistenceId>>(),
            g.any::<Lax<InvocationId>>(),
            g.any::<PersistenceStrategy>(),
            g.any::<Timestamp>(),
        );
        record.result_id = g.any();
        record.threshold = g.any();
        record.original_size_bytes = g.any();
        record.preview_size_bytes = g.any();
        record.persisted_ref = g.any();
        record.redaction_state = g.any();
        record.reason = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolError {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(g.any::<Open<ErrorClass>>());
        record.error_code = g.any();
        record.message = g.any();
        record.recoverability = g.any();
        record.retry_after = g.any();
        record.native_error_ref = g.any();
        record.policy_refs = g.any();
        record.evidence_refs = g.any();
        record.retry = g.any();
        record.abort_reason = g.any();
        record.side_effects_unknown = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for RetryGuidance {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::default();
        record.safe = g.any();
        record.arguments_must_change = g.any();
        record.discover_first = g.any();
        record.approval_again = g.any();
        record.sibling_caused = g.any();
        record.extra = g.extra();
        record
    }
}

impl Arb for ToolEvent {
    fn arb(g: &mut Gen) -> Self {
        let mut record = Self::new(
            g.any::<Lax<EventId>>(),
            g.any::<Open<EventType>>(),
            g.any::<String>(),
            g.any::<Timestamp>(),
        );
        record.subject = g.any();
        record.invocation_id = g.any();
        record.tool_id = g.any();
        record.data = g.any();
        record.trace_refs = g.any();
        record.extra = g.extra();
        record
    }
}
