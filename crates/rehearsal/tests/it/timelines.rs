//! What people are shown of a run.

use assent_journal::Fact;
use assent_rehearsal::{Format, MomentKind, Options, Rehearsed, Timeline, read, timelines};
use assent_runtime::Stage;

use crate::{examples::examples, harness::run};

fn all_examples() -> Vec<(String, Rehearsed)> {
    let run = |scenario| run(&scenario, Options::default()).unwrap();
    examples().into_iter().map(|(name, _, scenario)| (name, run(scenario))).collect()
}

/// How many facts there are of a kind.
fn facts(rehearsed: &Rehearsed, is_meant: impl Fn(&Fact) -> bool) -> usize {
    rehearsed.entries.iter().filter(|entry| is_meant(&entry.draft.fact)).count()
}

fn moments(timelines: &[Timeline], words: &[&str]) -> usize {
    let all = timelines.iter().flat_map(|timeline| &timeline.moments);
    all.filter(|moment| words.contains(&moment.what.as_str())).count()
}

#[test]
fn every_decision_change_and_hook_of_every_example_is_shown_once() {
    for (name, rehearsed) in all_examples() {
        let shown = timelines(&rehearsed.entries);
        let decided = facts(&rehearsed, |fact| matches!(fact, Fact::Decided(_)));
        assert_eq!(moments(&shown, &["allow", "ask", "deny"]), decided, "{name}");
        let changed = facts(&rehearsed, |fact| matches!(fact, Fact::Mutated(_)));
        assert_eq!(moments(&shown, &["changed"]), changed, "{name}");
        let hooks =
            facts(&rehearsed, |fact| matches!(fact, Fact::HookRan(_) | Fact::HookFailed(_)));
        assert_eq!(moments(&shown, &["hook"]), hooks, "{name}");
    }
}

#[test]
fn every_path_begins_where_the_tool_is_looked_for_and_ends_with_how_the_call_ended() {
    for (name, rehearsed) in all_examples() {
        let shown = timelines(&rehearsed.entries);
        assert_eq!(shown.len(), rehearsed.report.calls.len(), "{name}");
        for call in &rehearsed.report.calls {
            let path = shown.iter().find(|path| path.invocation == call.invocation_id).unwrap();
            let (first, last) = (path.moments.first().unwrap(), path.moments.last().unwrap());
            assert_eq!((path.status, first.stage), (call.status, Stage::Resolve), "{name}");
            assert_eq!((last.stage, last.what.as_str()), (Stage::Emit, call.status.as_str()));
            assert_eq!(last.kind, MomentKind::of(call.status), "{name}");
            let ran = last.detail.ends_with("the tool did not run");
            assert_eq!(ran, !call.executed, "{name}: {}", last.detail);
        }
    }
}

#[test]
fn a_change_is_shown_with_what_it_was_before_and_who_changed_it() {
    let (_, rehearsed) =
        all_examples().into_iter().find(|(name, _)| name.starts_with("06")).unwrap();
    let shown = timelines(&rehearsed.entries);
    let changes = shown.first().unwrap().moments.iter().filter(|moment| moment.what == "changed");
    let told: Vec<_> = changes.map(|moment| (moment.stage, moment.detail.as_str())).collect();
    let expected = [
        (Stage::Observe, "/limit nothing → 20, by the runtime (declared defaults)"),
        (Stage::PreHooks, "/folder \"~/notes\" → \"/home/ana/notes\", by hook `absolute-paths`"),
        (Stage::Permission, "/limit 20 → 5, /words \"tax\" → \"tax return\", by the person"),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_sensitive_value_is_shown_in_no_path() {
    let scenario = "
tools:
  - name: pay
    input_schema: {type: object, properties: {pin: {type: string}, sum: {type: integer}}}
    sensitive_fields: [/pin]
    run: [{return_text: paid}]
rules: [{id: first, behavior: ask}]
approvals: [{answer: edit, edit: {pin: planted-9182, sum: 2}}]
calls: [{id: a, tool: pay, input: {pin: planted-7351, sum: 1}}]
";
    let scenario = read(scenario.as_bytes(), Format::Yaml);
    let rehearsed = run(&scenario.unwrap(), Options::default()).unwrap();
    let shown = format!("{:?}", timelines(&rehearsed.entries));
    assert!(shown.contains("/sum 1 → 2"), "{shown}");
    assert!(!shown.contains("planted"), "{shown}");
}
