//! The stricter profile: what we write has no problems, and each rule finds its breach.

use assent_ids::*;
use assent_protocol::{
    agent_tool::{strict::Strict, *},
    wire::{Count, Object, Open},
};
use serde_json::{Value, json};

use crate::support::{
    arbitrary::Arb,
    at, id,
    json::Gen,
    schemas::{assert_valid, validator},
};

/// The places of all problems, without repetition.
pub(super) fn places(record: &impl Strict) -> Vec<String> {
    let mut places: Vec<_> = record.problems().into_iter().map(|problem| problem.pointer).collect();
    places.sort();
    places.dedup();
    places
}

fn call(status: InvocationStatus) -> ToolInvocation {
    let invocation: InvocationId = Gen(1).any();
    ToolInvocation::new(invocation, id::<ToolId>("t"), status, at(0))
}

fn ended_call() -> ToolInvocation {
    use InvocationStatus::{Approved, ArgumentsReady, Running, Selected, Succeeded};
    let mut path = Lifecycle::planned(at(0));
    for status in [Selected, ArgumentsReady, Approved, Running, Succeeded] {
        path.advance(status, at(1)).unwrap();
    }
    let mut record = call(path.status());
    record.status_transitions = Some(path.transitions().into_iter().map(Into::into).collect());
    record.started_at = path.started_at().cloned();
    record.ended_at = path.ended_at().cloned();
    record
}

fn failed(class: ErrorClass, status: ResultStatus) -> ToolResult {
    let mut result =
        ToolResult::new(Gen(1).any::<ResultId>(), Gen(2).any::<InvocationId>(), status, at(0));
    let mut error = ToolError::new(class);
    error.message = Some("why".to_owned());
    result.error = Some(Box::new(error.into()));
    result.is_error = Some(true);
    result
}

#[test]
fn a_call_is_whole_from_its_path() {
    assert_eq!(ended_call().problems(), []);
    let mut planned = call(InvocationStatus::Planned);
    planned.status_transitions =
        Some(vec![StatusTransition::new(InvocationStatus::Planned, at(0)).into()]);
    assert_eq!(planned.problems(), []);
}

#[test]
fn a_call_has_ended_exactly_if_it_says_when() {
    let mut record = ended_call();
    record.ended_at = None;
    assert_eq!(places(&record), ["/ended_at"]);
    let mut record = ended_call();
    record.started_at = None;
    assert_eq!(places(&record), ["/started_at"]);
    let mut record = ended_call();
    record.status = Open::read("paused");
    assert_eq!(places(&record), ["/status", "/status_transitions"]);
    let mut record = ended_call();
    record.status_transitions.as_mut().unwrap().remove(1);
    assert_eq!(places(&record), ["/status_transitions"]);
}

#[test]
fn a_call_does_not_wait_for_itself() {
    let mut record = ended_call();
    record.depends_on = Some(vec![record.invocation_id.clone()].into());
    assert_eq!(places(&record), ["/depends_on"]);
}

#[test]
fn an_error_says_so_and_why() {
    let good = failed(ErrorClass::PermissionDenied, ResultStatus::Denied);
    assert_eq!(good.problems(), []);
    let mut result = good.clone();
    result.is_error = None;
    assert_eq!(places(&result), ["/error", "/is_error"]);
    let mut result = good.clone();
    result.is_error = Some(false);
    assert_eq!(places(&result), ["/error", "/is_error"]);
    let mut result = good.clone();
    result.error = None;
    assert_eq!(places(&result), ["/error"]);
    let mut result = good;
    result.error = Some(Box::new(ToolError::new(Open::<ErrorClass>::read("bad_luck")).into()));
    assert_eq!(places(&result), ["/error/error_class", "/error/message"]);
}

#[test]
fn a_synthetic_result_says_that_and_why() {
    let mut result = failed(ErrorClass::SiblingCanceled, ResultStatus::SyntheticError);
    assert_eq!(places(&result), ["/error/abort_reason", "/synthetic"]);
    result.synthetic = Some(true.into());
    let mut error = result.error.as_ref().unwrap().typed().unwrap().clone();
    error.abort_reason = Some(AbortReason::SiblingError.into());
    result.error = Some(Box::new(error.into()));
    assert_eq!(result.problems(), []);
}

#[test]
fn an_empty_result_is_visibly_empty() {
    let mut result = failed(ErrorClass::Canceled, ResultStatus::Succeeded);
    (result.error, result.is_error) = (None, Some(false));
    result.empty_result = Some(true.into());
    assert_eq!(places(&result), ["/content"]);
    result.content = Some(Vec::new());
    assert_eq!(result.problems(), []);
}

#[test]
fn a_pending_tool_names_whom_it_waits_for() {
    let mut tool = DeferredToolRef::new(
        id::<ToolId>("t"),
        id::<CallableName>("t"),
        LoadingState::PendingProvider,
    );
    assert_eq!(places(&tool), ["/pending_provider_or_server"]);
    tool.pending_provider_or_server = Some("github".to_owned());
    assert_eq!(tool.problems(), []);
}

#[test]
fn storing_has_a_place_and_dropping_a_reason() {
    let decide = |strategy| {
        let ids = (Gen(1).any::<PersistenceId>(), Gen(1).any::<InvocationId>());
        ToolResultPersistence::new(ids.0, ids.1, strategy, at(0))
    };
    use PersistenceStrategy::{DropWithReason, Inline, NeverPersist, PreviewAndPersist, RefOnly};
    assert_eq!(decide(Inline).problems(), []);
    assert_eq!(places(&decide(PreviewAndPersist)), ["/persisted_ref", "/preview_size_bytes"]);
    assert_eq!(places(&decide(RefOnly)), ["/persisted_ref"]);
    assert_eq!(places(&decide(DropWithReason)), ["/reason"]);
    let mut never = decide(NeverPersist);
    never.persisted_ref = Some(PersistedRef::new("blob:1").into());
    assert_eq!(places(&never), ["/persisted_ref"]);
}

#[test]
fn ordering_and_yielding_do_not_contradict_each_other() {
    use OrderingPolicy as O;
    use YieldPolicy as Y;
    let allowed = [
        (O::Serial, Y::AllOrdered),
        (O::PreserveTerminalOrder, Y::AllOrdered),
        (O::PreserveTerminalOrder, Y::ProgressImmediateResultsOrdered),
        (O::AllowUnordered, Y::AllOrdered),
        (O::AllowUnordered, Y::ProgressImmediateResultsOrdered),
        (O::AllowUnordered, Y::UnorderedStreaming),
    ];
    for ordering in O::ALL {
        for yielding in Y::ALL {
            let mut policy = ToolSchedulerPolicy::new(id::<SchedulerPolicyId>("p"));
            policy.ordering_policy = Some(*ordering);
            policy.yield_policy = Some(*yielding);
            let fine = allowed.contains(&(*ordering, *yielding));
            assert_eq!(policy.problems().is_empty(), fine, "{ordering} {yielding}");
        }
    }
    let mut policy = ToolSchedulerPolicy::new(id::<SchedulerPolicyId>("p"));
    policy.max_parallel = Some(Count(0));
    assert_eq!(places(&policy), ["/max_parallel"]);
}

#[test]
fn an_internal_field_must_not_be_in_the_models_schema() {
    let schema = json!({ "anyOf": [{ "properties": { "sandbox_override_ref": {} } }] });
    let mut contract = ToolInputContract::new(schema);
    assert_eq!(contract.problems(), []);
    contract.internal_only_fields = Some(vec!["/sandbox_override_ref".to_owned()]);
    assert_eq!(places(&contract), ["/model_input_schema"]);
}

#[test]
fn a_decision_has_a_reason_and_changes_only_what_goes_on() {
    let decide = |behavior| {
        let ids = (Gen(1).any::<DecisionId>(), Gen(1).any::<InvocationId>());
        let mut decision = ToolPermissionDecision::new(ids.0, ids.1, behavior, at(0));
        decision.reason = Some(DecisionReason::new(ReasonType::Mode).into());
        decision
    };
    assert_eq!(decide(Behavior::Allow).problems(), []);
    let mut silent = decide(Behavior::Deny);
    silent.reason = None;
    assert_eq!(places(&silent), ["/reason"]);
    let mut by_rule = decide(Behavior::Deny);
    by_rule.reason = Some(DecisionReason::new(ReasonType::Rule).into());
    assert_eq!(places(&by_rule), ["/rule_refs"]);
    for behavior in Behavior::ALL {
        let mut changing = decide(*behavior);
        changing.updated_input = Some(Value::Null);
        assert_eq!(changing.problems().is_empty(), *behavior == Behavior::Allow, "{behavior}");
    }
}

#[test]
fn support_is_stated_also_if_it_is_not_there() {
    let profile =
        ToolExecutionProfile::new(id::<ExecutionProfileId>("p"), ExecutionKind::LocalProcess);
    assert_eq!(places(&profile).len(), 9);
}

#[test]
fn writing_nothing_excludes_writing_something() {
    let mut profile = ToolPermissionProfile::new(id::<PermissionProfileId>("p"), RiskLevel::Low);
    profile.write_effects = Some(vec![WriteEffect::None.into(), WriteEffect::LocalDraft.into()]);
    assert_eq!(places(&profile), ["/write_effects"]);
}

#[test]
fn events_of_a_call_are_numbered() {
    let mut event =
        ToolEvent::new(Gen(1).any::<EventId>(), EventType::ResultCreated, "assent", at(0));
    assert_eq!(event.problems(), []);
    event.invocation_id = Some(Gen(1).any());
    assert_eq!(places(&event), ["/data/sequence"]);
    event.data = Some(Object::from([("sequence".to_owned(), 1.into())]));
    assert_eq!(event.problems(), []);
}

#[test]
fn a_mutation_names_its_author_and_its_fields() {
    let ids = (Gen(1).any::<MutationId>(), Gen(1).any::<InvocationId>());
    let mut mutation = ToolInputMutation::new(ids.0, ids.1, MutationSource::Hook, at(0));
    assert_eq!(places(&mutation), ["/changed_fields", "/source_ref"]);
    mutation.source_ref = Some("guard".to_owned());
    mutation.changed_fields = Some(vec!["/path".to_owned(), "bare".to_owned()]);
    assert_eq!(places(&mutation), ["/changed_fields/1"]);
}

#[test]
fn barred_tools_have_a_reason_and_surfaces_a_time() {
    let mut surface = ToolSurface::new(Gen(1).any::<SurfaceId>(), SurfaceScope::Turn);
    assert_eq!(places(&surface), ["/created_at"]);
    surface.created_at = Some(at(0));
    let exclusion = SurfaceExclusion::new(id::<ToolId>("t"), Open::read(""));
    surface.blocked_tools = Some(vec![exclusion.into()]);
    assert_eq!(places(&surface), ["/blocked_tools/0/reason"]);
    surface.blocked_tools = None;
    surface.supersedes = Some(surface.surface_id.clone().into());
    assert_eq!(places(&surface), ["/supersedes"]);
}

#[test]
fn empty_ids_and_odd_times_are_found_wherever_they_are() {
    let record = |kind: &str| match kind {
        "progress" => {
            json!({ "progress_id": "", "sequence": 0, "status": "x", "timestamp": "now" })
        }
        _ => json!({ "hook_id": "", "hook_event": "pre_tool_use", "started_at": "now" }),
    };
    let read = |kind: &str| {
        let mut value = record(kind);
        value["schema_version"] = "9".into();
        value["invocation_id"] = "".into();
        value
    };
    let progress: ToolProgress = serde_json::from_value(read("progress")).unwrap();
    let expected = ["/invocation_id", "/progress_id", "/schema_version", "/status", "/timestamp"];
    assert_eq!(places(&progress), expected);
    let hook: ToolHook = serde_json::from_value(read("hook")).unwrap();
    assert_eq!(places(&hook), ["/hook_id", "/invocation_id", "/schema_version", "/started_at"]);
}

#[test]
fn a_call_of_an_unknown_tool_keeps_the_name() {
    let mut record = ended_call();
    record.tool_id = ToolId::unresolved("no such tool").into();
    assert_eq!(places(&record), ["/requested_name"]);
    record.requested_name = Some("no such tool".to_owned().into());
    assert_eq!(record.problems(), []);
}

#[test]
fn a_mapping_without_native_ids_maps_nothing() {
    let mapping = ToolExternalMapping::new(MappingSource::Mcp);
    assert_eq!(places(&mapping), [""]);
}

#[test]
fn measuring_any_record_never_panics() {
    fn measure<R: Record + Arb>() {
        for seed in 0..60 {
            let record: R = Gen(seed).any();
            for problem in record.problems() {
                let pointer = problem.pointer.as_str();
                assert!(pointer.is_empty() || pointer.starts_with('/'), "{problem}");
            }
        }
    }
    measure::<ToolDeclaration>();
    measure::<ToolNamespace>();
    measure::<ToolInterface>();
    measure::<ToolSurface>();
    measure::<DeferredToolRef>();
    measure::<ToolSearchResult>();
    measure::<ToolInputContract>();
    measure::<ToolOutputContract>();
    measure::<ToolExternalMapping>();
    measure::<ToolPermissionProfile>();
    measure::<ToolPermissionDecision>();
    measure::<ToolExecutionProfile>();
    measure::<ToolHook>();
    measure::<ToolInputMutation>();
    measure::<ToolSchedulerPolicy>();
    measure::<ToolInvocation>();
    measure::<ToolProgress>();
    measure::<ToolResult>();
    measure::<ToolResultPersistence>();
    measure::<ToolError>();
    measure::<ToolEvent>();
}

/// A call after a random walk, as the runtime would record it.
fn walked(seed: u64) -> ToolInvocation {
    let mut g = Gen(seed);
    let mut path = Lifecycle::planned(at(0));
    for time in 1..g.below(14) {
        let next = path.status().successors();
        if !next.is_empty() {
            path.advance(next[g.index(next.len())], at(time)).unwrap();
        }
    }
    let mut record = call(path.status());
    record.status_transitions = Some(path.transitions().into_iter().map(Into::into).collect());
    record.started_at = path.started_at().cloned();
    record.ended_at = path.ended_at().cloned();
    record
}

/// Items 99, 106.
#[test]
fn whatever_path_a_call_takes_its_record_is_good() {
    let validator = validator(RecordKind::ToolInvocation).unwrap();
    for seed in 0..500 {
        let record = walked(seed);
        // A result can be handed over only after the call has run.
        let skipped = record.started_at.is_none() && record.status == InvocationStatus::Succeeded;
        assert!(!skipped, "{record:?}");
        assert_eq!(record.problems(), [], "{record:?}");
        assert_valid(&validator, &serde_json::to_value(&record).unwrap());
    }
}

#[test]
fn whatever_the_end_its_result_can_be_written_without_problems() {
    let validator = validator(RecordKind::ToolResult).unwrap();
    for end in TerminalStatus::ALL {
        for class in ErrorClass::ALL.iter().copied().map(Some).chain([None]) {
            for reason in AbortReason::ALL.iter().copied().map(Some).chain([None]) {
                let outcome = AbortOutcome::NeverStarted;
                let abort = reason.map(|reason| Abort { reason, outcome });
                let cause = Cause { class, abort, delivery: Delivery::Whole };
                let result = written(terminal(*end, cause), reason);
                assert_eq!(result.problems(), [], "{end} {cause:?}");
                assert_valid(&validator, &serde_json::to_value(&result).unwrap());
            }
        }
    }
}

fn written(end: Terminal, reason: Option<AbortReason>) -> ToolResult {
    let ids = (Gen(1).any::<ResultId>(), Gen(2).any::<InvocationId>());
    let mut result = ToolResult::new(ids.0, ids.1, end.status, at(0));
    result.is_error = Some(end.is_error);
    result.synthetic = end.status.is_synthetic().then(|| true.into());
    result.error = end.error_class.map(|class| {
        let mut error = ToolError::new(class);
        error.message = Some("why".to_owned());
        error.abort_reason = reason.map(Into::into);
        Box::new(error.into())
    });
    result
}
