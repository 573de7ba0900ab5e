//! Errors are for programs and for people, and say what can be done.

use std::{path::PathBuf, time::Duration};

use assent_ids::UnixMillis;
use assent_protocol::{
    agent_tool::{
        Abort, AbortOutcome, AbortReason, ErrorClass, Recoverability, RetryAfter, ToolError,
        strict::Strict,
    },
    wire::{Count, Timestamp},
};

use super::NOW;
use crate::{
    executor::Failure,
    results::{ErrorDraft, advice::advice},
};

fn built(draft: ErrorDraft) -> ToolError {
    draft.build(NOW)
}

fn recoverability(draft: ErrorDraft) -> Recoverability {
    built(draft).recoverability.unwrap().known().unwrap()
}

/// Items 160, 161.
#[test]
fn every_class_has_guidance_and_words_for_people() {
    assert_eq!(ErrorClass::ALL.len(), 27);
    for class in ErrorClass::ALL {
        for (executed, repeatable) in [(false, false), (true, false), (true, true)] {
            let draft = ErrorDraft { executed, repeatable, ..ErrorDraft::new(*class, "") };
            let error = built(draft);
            assert_eq!(error.problems(), [], "{class}");
            assert_eq!(error.error_code.as_deref(), Some(class.as_str()));
            assert_eq!(error.message.as_deref(), Some(advice(*class).message));
            let retry = error.retry.unwrap();
            let answers = [
                retry.safe,
                retry.arguments_must_change,
                retry.discover_first,
                retry.approval_again,
                retry.sibling_caused,
            ];
            assert!(answers.iter().all(Option::is_some), "{class}");
            assert!(!advice(*class).remedy.is_empty());
        }
    }
}

/// Item 160: for every class, before anything ran, after something did, and after something did that can be
/// repeated: may the call be made again, do its arguments have to change, has the tool to be found first, has
/// a new approval, did another call cause it, and does it say when.
#[test]
fn every_class_answers_every_question_before_a_retry() {
    use ErrorClass as E;
    let always = [true; 3];
    let never = [false; 3];
    let if_repeatable = [true, false, true];
    for (class, safe, [change, discover, approve, sibling, waits]) in [
        (E::UnknownTool, always, [false, true, false, false, false]),
        (E::SchemaNotLoaded, always, [false, true, false, false, false]),
        (E::BlockedTool, always, [false, true, false, false, false]),
        (E::CapabilityGap, never, [false, false, false, false, false]),
        (E::SetupRequired, always, [false, false, false, false, false]),
        (E::CredentialMissing, always, [false, false, false, false, false]),
        (E::InvalidArguments, always, [true, false, false, false, false]),
        (E::SchemaValidationFailed, always, [true, false, false, false, false]),
        (E::SandboxViolation, always, [true, false, false, false, false]),
        (E::InputMutationFailed, always, [false, false, false, false, false]),
        (E::PermissionDenied, always, [true, false, false, false, false]),
        (E::ApprovalRejected, never, [true, false, true, false, false]),
        (E::PolicyBlocked, always, [true, false, false, false, false]),
        (E::HookBlocked, always, [true, false, false, false, false]),
        (E::HookFailed, always, [false, false, false, false, false]),
        (E::Timeout, if_repeatable, [false, false, false, false, false]),
        (E::RateLimited, always, [false, false, false, false, true]),
        (E::DependencyUnavailable, if_repeatable, [false, false, false, false, true]),
        (E::ExecutionFailed, if_repeatable, [false, false, false, false, false]),
        (E::PartialFailure, never, [true, false, false, false, false]),
        (E::SiblingCanceled, if_repeatable, [false, false, false, true, false]),
        (E::StreamingFallbackDiscarded, never, [false, false, false, false, false]),
        (E::Canceled, if_repeatable, [false, false, true, false, false]),
        (E::ResultTooLarge, if_repeatable, [true, false, false, false, false]),
        (E::ResultRedacted, never, [false, false, false, false, false]),
        (E::ResultMappingFailed, never, [false, false, false, false, false]),
        (E::PostHookFailed, never, [false, false, false, false, false]),
    ] {
        let cases = [(false, false), (true, false), (true, true)];
        for ((executed, repeatable), safe) in cases.into_iter().zip(safe) {
            let error = built(ErrorDraft { executed, repeatable, ..ErrorDraft::new(class, "") });
            let retry = error.retry.unwrap();
            let told = [
                retry.safe,
                retry.arguments_must_change,
                retry.discover_first,
                retry.approval_again,
                retry.sibling_caused,
                Some(error.retry_after.is_some()),
            ];
            let expected = [safe, change, discover, approve, sibling, waits].map(Some);
            assert_eq!(told, expected, "{class}, executed: {executed}, repeatable: {repeatable}");
        }
    }
}

/// Item 160: what was not let run for a reason that has nothing to do with its arguments may be asked for
/// again as it is. A tool that uses the same words has run, and means something else.
#[test]
fn codes_that_only_mean_to_ask_again_say_so() {
    for (class, code, approve) in [
        (ErrorClass::Timeout, "approval_timed_out", true),
        (ErrorClass::Timeout, "user_timeout", true),
        (ErrorClass::PolicyBlocked, "expired", true),
        (ErrorClass::PolicyBlocked, "approval_mismatch", true),
        (ErrorClass::PermissionDenied, "permission_used_up", true),
        (ErrorClass::PolicyBlocked, "definition_changed", false),
        (ErrorClass::PolicyBlocked, "rules_changed", false),
    ] {
        let draft = ErrorDraft { code: Some(code.to_owned()), ..ErrorDraft::new(class, "") };
        let error = built(draft.clone());
        let retry = error.retry.unwrap();
        let told = [retry.safe, retry.arguments_must_change, retry.approval_again];
        assert_eq!(told, [Some(true), Some(false), Some(approve)], "{code}");
        let by_tool = built(ErrorDraft { executed: true, ..draft });
        let plain = built(ErrorDraft { executed: true, ..ErrorDraft::new(class, "") });
        assert_eq!(by_tool.retry, plain.retry, "{code}");
        assert_eq!(by_tool.recoverability, plain.recoverability, "{code}");
    }
}

/// Item 159.
#[test]
fn no_two_classes_have_the_same_message() {
    let mut messages: Vec<_> = ErrorClass::ALL.iter().map(|class| advice(*class).message).collect();
    messages.sort_unstable();
    messages.dedup();
    assert_eq!(messages.len(), 27);
}

#[test]
fn every_class_has_a_page() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors");
    for class in ErrorClass::ALL {
        let names = [class.to_string(), class.as_str().to_ascii_uppercase()];
        let found = names.iter().any(|name| folder.join(format!("{name}.md")).exists());
        assert!(found, "{class}");
    }
}

#[test]
fn repeating_is_never_advised_if_it_could_do_harm() {
    let timeout = |executed, repeatable| ErrorDraft {
        executed,
        repeatable,
        ..ErrorDraft::new(ErrorClass::Timeout, "")
    };
    assert_eq!(recoverability(timeout(false, false)), Recoverability::RetrySame);
    assert_eq!(recoverability(timeout(true, true)), Recoverability::RetrySame);
    assert_eq!(recoverability(timeout(true, false)), Recoverability::None);
    let unavailable =
        ErrorDraft { executed: true, ..ErrorDraft::new(ErrorClass::DependencyUnavailable, "") };
    assert_eq!(recoverability(unavailable), Recoverability::None);
}

/// Item 158.
#[test]
fn the_delay_before_a_retry_is_in_whole_seconds() {
    let after = |retry_after| {
        let failure = Failure { retry_after, ..Failure::new(ErrorClass::RateLimited, "slow down") };
        built(failure.into()).retry_after
    };
    let seconds = |seconds| Some(RetryAfter::Seconds(Count(seconds)));
    assert_eq!(after(seconds(7)), seconds(7));
    let number = serde_json::Number::from_f64(1.2).unwrap();
    assert_eq!(after(Some(RetryAfter::Fraction(number))), seconds(2));
    let later: UnixMillis = NOW.after(Duration::from_millis(2_500));
    assert_eq!(after(Some(RetryAfter::At(Timestamp::from(later)))), seconds(3));
    assert_eq!(after(Some(RetryAfter::Unknown(()))), seconds(5));
    assert_eq!(after(None), seconds(5));
    let nonsense = serde_json::Number::from(-1);
    assert_eq!(after(Some(RetryAfter::Fraction(nonsense))), seconds(5));
}

#[test]
fn a_time_makes_a_retry_one_that_waits() {
    let sibling = ErrorDraft {
        retry_after: Some(Duration::from_secs(1).into()),
        ..ErrorDraft::new(ErrorClass::SiblingCanceled, "")
    };
    assert_eq!(recoverability(sibling), Recoverability::RetryAfterDelay);
    let denied = ErrorDraft {
        retry_after: Some(Duration::from_secs(1).into()),
        ..ErrorDraft::new(ErrorClass::PermissionDenied, "")
    };
    assert_eq!(recoverability(denied), Recoverability::ChangeArgumentsOrPolicy);
}

#[test]
fn an_approval_was_for_that_call_only() {
    let failed =
        ErrorDraft { needed_approval: true, ..ErrorDraft::new(ErrorClass::ExecutionFailed, "") };
    assert_eq!(built(failed).retry.unwrap().approval_again, Some(true));
}

#[test]
fn a_call_that_did_not_answer_may_have_done_something() {
    let error = |outcome| {
        let abort = Some(Abort { reason: AbortReason::UserInterruption, outcome });
        built(ErrorDraft { abort, ..ErrorDraft::new(ErrorClass::Canceled, "") })
    };
    assert_eq!(error(AbortOutcome::Unacknowledged).side_effects_unknown, Some(true));
    assert_eq!(error(AbortOutcome::NeverStarted).side_effects_unknown, None);
    let reason = error(AbortOutcome::NeverStarted).abort_reason;
    assert_eq!(reason, Some(AbortReason::UserInterruption.into()));
}

#[test]
fn references_to_nothing_are_left_out() {
    let draft = ErrorDraft {
        code: Some(String::new()),
        policy_refs: vec![String::new(), "p".into()],
        evidence_refs: vec![String::new()],
        ..ErrorDraft::new(ErrorClass::PolicyBlocked, "no")
    };
    let error = built(draft);
    assert_eq!(error.problems(), []);
    assert_eq!((error.policy_refs, error.evidence_refs), (Some(vec!["p".into()]), None));
    assert_eq!(error.error_code.as_deref(), Some("policy_blocked"));
}
