//! The end of a call and its result.

use assent_protocol::agent_tool::{
    Abort, AbortOutcome, AbortReason, Cause, Delivery, ErrorClass, ResultStatus, Terminal,
    TerminalStatus, terminal,
};

fn of_class(class: ErrorClass) -> Cause {
    Cause { class: Some(class), ..Cause::default() }
}

fn of_abort(reason: AbortReason, outcome: AbortOutcome) -> Cause {
    Cause { abort: Some(Abort { reason, outcome }), ..Cause::default() }
}

#[track_caller]
fn error(end: TerminalStatus, cause: Cause, status: ResultStatus, class: ErrorClass) {
    let expected = Terminal { status, is_error: true, error_class: Some(class) };
    assert_eq!(terminal(end, cause), expected, "{end} {cause:?}");
}

#[test]
fn without_a_cause_each_end_has_its_own_class() {
    use ErrorClass as C;
    use ResultStatus as R;
    use TerminalStatus as T;
    let none = Cause::default();
    error(T::SchemaParseFailed, none, R::Failed, C::SchemaValidationFailed);
    error(T::ValidationFailed, none, R::Failed, C::InvalidArguments);
    error(T::Denied, none, R::Denied, C::PermissionDenied);
    error(T::Blocked, none, R::Denied, C::BlockedTool);
    error(T::Failed, none, R::Failed, C::ExecutionFailed);
    error(T::Canceled, none, R::Canceled, C::Canceled);
    error(T::TimedOut, none, R::TimedOut, C::Timeout);
}

/// Item 142.
#[test]
fn a_persons_no_is_a_rejection_and_a_rules_no_a_denial() {
    use ErrorClass as C;
    let end = TerminalStatus::Denied;
    error(end, of_class(C::ApprovalRejected), ResultStatus::Rejected, C::ApprovalRejected);
    error(end, of_class(C::PolicyBlocked), ResultStatus::Denied, C::PolicyBlocked);
}

#[test]
fn what_blocks_decides_between_denied_and_failed() {
    use ErrorClass as C;
    let end = TerminalStatus::Blocked;
    for class in [C::HookBlocked, C::PolicyBlocked, C::BlockedTool] {
        error(end, of_class(class), ResultStatus::Denied, class);
    }
    for class in [C::SchemaNotLoaded, C::SetupRequired, C::CredentialMissing, C::CapabilityGap] {
        error(end, of_class(class), ResultStatus::Failed, class);
    }
}

/// Item 128.
#[test]
fn stopped_calls_are_synthetic_unless_the_executor_took_part() {
    use AbortOutcome::{Acknowledged, Discarded, NeverStarted, Unacknowledged};
    use AbortReason as A;
    use ErrorClass as C;
    use ResultStatus as R;
    let end = TerminalStatus::Canceled;
    error(end, of_abort(A::UserInterruption, Acknowledged), R::Canceled, C::Canceled);
    error(end, of_abort(A::UserInterruption, Unacknowledged), R::SyntheticError, C::Canceled);
    error(end, of_abort(A::SiblingError, NeverStarted), R::SyntheticError, C::SiblingCanceled);
    error(end, of_abort(A::Fallback, Discarded), R::Discarded, C::StreamingFallbackDiscarded);
    error(end, of_abort(A::Timeout, Acknowledged), R::Canceled, C::Timeout);
    let crash = of_abort(A::RuntimeShutdown, Unacknowledged);
    error(TerminalStatus::Failed, crash, R::SyntheticError, C::ExecutionFailed);
}

#[test]
fn what_worked_is_an_error_only_if_its_bytes_are_gone() {
    let delivered = |delivery| {
        let end = terminal(TerminalStatus::Succeeded, Cause { delivery, ..Cause::default() });
        (end.status, end.is_error, end.error_class)
    };
    assert_eq!(delivered(Delivery::Whole), (ResultStatus::Succeeded, false, None));
    assert_eq!(delivered(Delivery::Partial), (ResultStatus::PartialSucceeded, false, None));
    assert_eq!(delivered(Delivery::Redacted), (ResultStatus::Redacted, false, None));
    let kept = Delivery::TooLarge { retrievable: true };
    assert_eq!(delivered(kept), (ResultStatus::TooLarge, false, None));
    let lost = Delivery::TooLarge { retrievable: false };
    let class = Some(ErrorClass::ResultTooLarge);
    assert_eq!(delivered(lost), (ResultStatus::TooLarge, true, class));
}

#[test]
fn every_end_with_every_cause_agrees_with_the_table_of_errors() {
    let outcomes = [
        AbortOutcome::NeverStarted,
        AbortOutcome::Unacknowledged,
        AbortOutcome::Acknowledged,
        AbortOutcome::Discarded,
    ];
    let aborts: Vec<Option<Abort>> = AbortReason::ALL
        .iter()
        .flat_map(|reason| outcomes.map(|outcome| Some(Abort { reason: *reason, outcome })))
        .chain([None])
        .collect();
    let deliveries = [
        Delivery::Whole,
        Delivery::Partial,
        Delivery::Redacted,
        Delivery::TooLarge { retrievable: true },
        Delivery::TooLarge { retrievable: false },
    ];
    let classes = ErrorClass::ALL.iter().copied().map(Some).chain([None]);
    for class in classes {
        for abort in &aborts {
            for delivery in deliveries {
                for end in TerminalStatus::ALL {
                    let result = terminal(*end, Cause { class, abort: *abort, delivery });
                    assert_eq!(result.is_error, result.error_class.is_some());
                    let by_status = result.status.is_error();
                    assert_eq!(by_status.unwrap_or(result.is_error), result.is_error);
                }
            }
        }
    }
}
