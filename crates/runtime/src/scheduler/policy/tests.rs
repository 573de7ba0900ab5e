//! Tests of policies.

use assent_protocol::agent_tool::strict::Strict;

use super::*;

fn policy(ordering: OrderingPolicy, yielding: YieldPolicy) -> SchedulerPolicy {
    SchedulerPolicy { ordering, yielding, ..SchedulerPolicy::default() }
}

#[test]
fn the_standard_policy_is_the_standards_and_keeps_the_strict_profile() {
    let record = SchedulerPolicy::default().check().unwrap().record();
    assert_eq!(
        serde_json::to_value(&record).unwrap(),
        serde_json::json!({
            "schema_version": "0.2.0",
            "scheduler_policy_id": "standard",
            "max_parallel": 8,
            "ordering_policy": "preserve_terminal_order",
            "yield_policy": "progress_immediate_results_ordered",
            "interrupt_behavior": "block",
            "sibling_failure_policy": "cancel_dependent",
            "context_modifier_policy": "allow_serial_only",
        })
    );
    assert_eq!(record.problems(), []);
}

#[test]
fn serial_forces_everything_into_order_whatever_else_was_said() {
    for yielding in [
        YieldPolicy::ProgressImmediateResultsOrdered,
        YieldPolicy::AllOrdered,
        YieldPolicy::UnorderedStreaming,
    ] {
        let checked = policy(OrderingPolicy::Serial, yielding).check().unwrap();
        assert_eq!(checked.yielding, YieldPolicy::AllOrdered);
        assert_eq!(checked.max_parallel.get(), 1);
        assert!(checked.is_ordered() && checked.is_all_ordered());
        assert_eq!(checked.record().problems(), []);
    }
}

#[test]
fn results_cannot_be_both_in_order_and_streamed() {
    let contradiction =
        policy(OrderingPolicy::PreserveTerminalOrder, YieldPolicy::UnorderedStreaming);
    assert!(contradiction.is_ordered());
    let problem = contradiction.check().unwrap_err();
    assert_eq!(problem, PolicyProblem::UnorderedStreaming);
    assert_eq!(
        problem.to_string(),
        "the yield policy `unordered_streaming` contradicts the ordering policy \
         `preserve_terminal_order`: choose `allow_unordered` to let results out of order"
    );
}

/// Item 123.
#[test]
fn results_are_unordered_only_if_both_words_say_so() {
    use OrderingPolicy::AllowUnordered;
    let ordered = |yielding| policy(AllowUnordered, yielding).check().unwrap().is_ordered();
    assert!(ordered(YieldPolicy::ProgressImmediateResultsOrdered));
    assert!(ordered(YieldPolicy::AllOrdered));
    assert!(!ordered(YieldPolicy::UnorderedStreaming));
    assert!(!ordered(SchedulerPolicy::yielding_of(AllowUnordered)));
}

#[test]
fn a_policy_that_was_written_down_is_read_as_it_was() {
    for ordering in [
        OrderingPolicy::PreserveTerminalOrder,
        OrderingPolicy::AllowUnordered,
        OrderingPolicy::Serial,
    ] {
        let written = SchedulerPolicy {
            siblings: SiblingFailurePolicy::CancelSiblings,
            interrupt: InterruptBehavior::Cancel,
            ..policy(ordering, SchedulerPolicy::yielding_of(ordering))
        };
        let written = written.check().unwrap();
        assert_eq!(SchedulerPolicy::recorded(&written.record()), Some(written));
    }
}

#[test]
fn half_a_policy_and_one_that_contradicts_itself_are_none() {
    let changed = |change: fn(&mut ToolSchedulerPolicy)| {
        let mut record = SchedulerPolicy::default().record();
        change(&mut record);
        SchedulerPolicy::recorded(&record)
    };
    assert!(changed(|_| {}).is_some());
    assert_eq!(changed(|record| record.sibling_failure_policy = None), None);
    assert_eq!(changed(|record| record.max_parallel = Some(Count(0))), None);
    let contradiction = |record: &mut ToolSchedulerPolicy| {
        record.yield_policy = Some(YieldPolicy::UnorderedStreaming);
    };
    assert_eq!(changed(contradiction), None);
}
