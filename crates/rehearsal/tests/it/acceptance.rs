//! What the examples show beyond what they can expect: looked up in their journals.

use assent_rehearsal::{CrashPoint, Options, Rehearsed, Scenario};
use serde_json::{Value, json};

use crate::{
    examples::examples,
    harness::{lines, run},
};

fn example(number: &str) -> Scenario {
    let found = examples().into_iter().find(|(name, ..)| name.starts_with(number));
    found.map(|(_, _, scenario)| scenario).unwrap()
}

fn rehearsed(number: &str) -> Rehearsed {
    run(&example(number), Options::default()).unwrap()
}

/// All records of one kind.
fn of_kind(rehearsed: &Rehearsed, kind: &str) -> Vec<Value> {
    let all = lines(&rehearsed.entries).into_iter();
    all.filter(|line| line["record"] == kind).map(|mut line| line["data"].take()).collect()
}

/// Items 90, 106: a question outlives the process, and the call goes on as the same one.
#[test]
fn a_call_that_waited_through_a_restart_is_the_same_call() {
    let rehearsed = rehearsed("07");
    let calls = of_kind(&rehearsed, "tool_invocation");
    assert_eq!(calls.len(), 1);
    let call = &calls[0]["invocation_id"];
    let decisions = of_kind(&rehearsed, "tool_permission_decision");
    let told: Vec<_> = decisions
        .iter()
        .map(|decision| (&decision["invocation_id"], &decision["behavior"]))
        .collect();
    assert_eq!(told, [(call, &json!("ask")), (call, &json!("allow"))]);
    assert_eq!(of_kind(&rehearsed, "tool_result").len(), 1);
    assert_eq!(rehearsed.report.executed["publish"], 1);
}

/// Items 114, 128, 139: a crash while the tool runs ends the call in a result that says so; one that
/// comes later changes nothing of what the tool gave back.
#[test]
fn a_crash_is_shown_and_changes_no_result() {
    let scenario = example("10");
    let calm = run(&scenario, Options::default()).unwrap();
    let digest = |result: &Value| result["content_digest"].clone();
    let given: Vec<Value> = of_kind(&calm, "tool_result").iter().map(digest).collect();
    let (mut shut_down, mut kept) = (0, 0);
    for boundary in 1..=calm.batches {
        let crash = Some(CrashPoint::After(boundary));
        let crashed = run(&scenario, Options { crash, ..Options::default() }).unwrap();
        for result in of_kind(&crashed, "tool_result") {
            if result["error"]["abort_reason"] == "runtime_shutdown" {
                shut_down += 1;
                assert_eq!(result["synthetic"], true, "{result:#}");
                assert_eq!(result["is_error"], true);
            } else if !digest(&result).is_null() {
                kept += 1;
                assert!(given.contains(&digest(&result)), "{result:#}");
            }
        }
    }
    assert!(shut_down > 0 && kept > 0);
}

/// Item 90: as often as the process dies, the person is asked about one call and the tool runs once.
#[test]
fn an_approval_survives_a_crash_at_any_moment() {
    let scenario = example("07");
    let calm = run(&scenario, Options::default()).unwrap();
    for boundary in 1..=calm.batches {
        for crash in [CrashPoint::Before(boundary), CrashPoint::After(boundary)] {
            let crashed =
                run(&scenario, Options { crash: Some(crash), ..Options::default() }).unwrap();
            assert_eq!(of_kind(&crashed, "tool_invocation").len(), 1, "{crash:?}");
            assert!(crashed.report.executed.get("publish").copied().unwrap_or_default() <= 1);
        }
    }
}
