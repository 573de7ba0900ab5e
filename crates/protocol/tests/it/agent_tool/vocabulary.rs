//! Our vocabularies are those of the standard.

use assent_protocol::{agent_tool::*, wire::Word};
use serde_json::Value;

fn listed(group: &str, name: &str) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/enums.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    serde_json::from_value(all[group][name].clone()).unwrap_or_else(|_| panic!("no {name}"))
}

#[track_caller]
fn same<W: Word>(group: &str, name: &str) {
    let ours: Vec<_> = W::WORDS.iter().map(|word| word.word()).collect();
    assert_eq!(ours, listed(group, name), "{name}");
}

/// Items 8, 66, 75, 152.
#[test]
fn closed_vocabularies_are_those_of_the_schemas() {
    let group = "closed_by_schema";
    same::<ToolLifecycle>(group, "tool_declaration.lifecycle");
    same::<SchemaVisibility>(group, "tool_interface.schema_visibility");
    same::<SchemaVisibility>(group, "deferred_tool.schema_visibility");
    same::<LoadingState>(group, "deferred_tool.loading_state");
    same::<HookEvent>(group, "hook.hook_event");
    same::<MutationSource>(group, "input_mutation.source_type");
    same::<Behavior>(group, "permission_decision.behavior");
    same::<RiskLevel>(group, "permission_profile.risk_level");
    same::<PersistenceStrategy>(group, "result_persistence.strategy");
    same::<OrderingPolicy>(group, "scheduler_policy.ordering_policy");
    same::<YieldPolicy>(group, "scheduler_policy.yield_policy");
    same::<InterruptBehavior>(group, "scheduler_policy.interrupt_behavior");
    same::<SiblingFailurePolicy>(group, "scheduler_policy.sibling_failure_policy");
    same::<ContextModifierPolicy>(group, "scheduler_policy.context_modifier_policy");
}

/// Items 62, 84, 85, 100, 122, 134, 139, 141.
#[test]
fn open_vocabularies_are_those_of_the_prose() {
    let group = "prose_only_open_string_in_schema";
    same::<ToolKind>(group, "tool_declaration.tool_kind");
    same::<SurfaceScope>(group, "tool_surface.scope");
    same::<ExclusionReason>(group, "tool_surface.block_or_exclude_reason");
    same::<ArgumentMode>(group, "input_contract.argument_mode");
    same::<ExecutionKind>(group, "execution_profile.execution_kind");
    same::<AccessKind>(
        group,
        "permission_profile.access_kinds(spaced in prose; snake_case per example)",
    );
    same::<WriteEffect>(
        group,
        "permission_profile.write_effects(spaced in prose; snake_case per example)",
    );
    same::<ReasonType>(group, "permission_decision.reason.type");
    same::<RuleSource>(group, "permission_rule.source");
    same::<InvocationStatus>(group, "invocation.status");
    same::<QueueState>(group, "scheduler.queue_state");
    same::<ProgressStatus>(group, "progress.status");
    same::<AbortReason>(group, "cancellation.abort_reason(prose words, no ids)");
    same::<ResultStatus>(group, "result.status");
    same::<ContentClass>(group, "result.content_class");
    same::<HookOutputKind>(group, "hook.output_kind");
}

#[test]
fn error_classes_are_the_22_and_the_5_of_the_pipeline() {
    let group = "prose_only_open_string_in_schema";
    let mut names = listed(group, "error.error_class(spec list)");
    assert_eq!(names.len(), 22);
    names.extend(listed(group, "error.error_class(pipeline contract only)"));
    let ours: Vec<_> = ErrorClass::ALL.iter().map(|class| class.as_str()).collect();
    assert_eq!(ours, names);
    assert_eq!(ErrorClass::ALL.iter().filter(|class| class.is_spec_class()).count(), 22);
    for class in ErrorClass::ALL {
        let reasons = ExclusionReason::ALL.iter().copied().map(Some).chain([None]);
        for reason in reasons {
            assert!(class.nearest_spec_class(reason).is_spec_class(), "{class}");
        }
    }
}

/// Item 170.
#[test]
fn event_types_are_the_27_and_then_ours() {
    let names = listed("prose_only_open_string_in_schema", "event.event_type");
    let standard: Vec<_> = EventType::ALL
        .iter()
        .filter(|class| !class.is_extension())
        .map(|class| class.as_str())
        .collect();
    assert_eq!(standard, names);
    assert_eq!((standard.len(), EventType::ALL.len()), (27, 36));
}

#[test]
fn classes_of_the_pipeline_have_the_nearest_listed_class() {
    use ErrorClass as C;
    use ExclusionReason as R;
    for (reason, class) in [
        (Some(R::PolicyBlocked), C::PolicyBlocked),
        (Some(R::CredentialMissing), C::CredentialMissing),
        (Some(R::SetupRequired), C::SetupRequired),
        (Some(R::ModelUnsupported), C::CapabilityGap),
        (Some(R::RecursiveToolForbidden), C::PolicyBlocked),
        (Some(R::RoleNotAllowed), C::PolicyBlocked),
        (Some(R::FeatureDisabled), C::CapabilityGap),
        (Some(R::DeferredUntilDiscovered), C::SchemaNotLoaded),
        (None, C::PolicyBlocked),
    ] {
        assert_eq!(C::BlockedTool.nearest_spec_class(reason), class, "{reason:?}");
    }
    assert_eq!(C::HookFailed.nearest_spec_class(None), C::HookBlocked);
    assert_eq!(C::InputMutationFailed.nearest_spec_class(None), C::InvalidArguments);
    assert_eq!(C::ResultMappingFailed.nearest_spec_class(None), C::ExecutionFailed);
    assert_eq!(C::PostHookFailed.nearest_spec_class(None), C::ExecutionFailed);
}

#[test]
fn recoverability_is_a_closed_set_of_eight() {
    let words: Vec<_> = Recoverability::ALL.iter().map(|word| word.as_str()).collect();
    let expected = [
        "none",
        "retry_same",
        "retry_after_delay",
        "change_arguments",
        "change_arguments_or_policy",
        "discover_first",
        "needs_approval",
        "needs_setup",
    ];
    assert_eq!(words, expected);
    assert!("retry_maybe".parse::<Recoverability>().is_err());
}

#[test]
fn risks_are_ordered() {
    assert!(RiskLevel::ALL.is_sorted() && RiskLevel::Low < RiskLevel::Critical);
}
