//! Which tool a name means: the same one for calls, expectations and the person.

use assent_rehearsal::{Format, Options, Rehearsed, read};

use crate::{harness::run, problems};

fn rehearsed(text: &str) -> Rehearsed {
    run(&read(text.as_bytes(), Format::Yaml).unwrap(), Options::default()).unwrap()
}

#[track_caller]
fn all_hold(text: &str) -> Rehearsed {
    let rehearsed = rehearsed(text);
    let unmet: Vec<_> = rehearsed.unmet.iter().map(ToString::to_string).collect();
    assert_eq!(unmet, Vec::<String>::new());
    rehearsed
}

const TWO_OF_A_NAME: &str = "
tools:
  - {name: get, namespace: a, aliases: [fetch], safety: {read_only: true}, run: [{return_text: x}]}
  - {name: get, namespace: b, safety: {read_only: true}, run: [{return_text: y}]}
";

#[test]
fn tools_of_one_name_are_counted_apart_and_an_alias_counts_for_its_tool() {
    let rehearsed = all_hold(&format!(
        "{TWO_OF_A_NAME}
calls:
  - {{id: one, tool: a/get, input: {{}}}}
  - {{id: two, tool: fetch, input: {{}}}}
expect:
  - executed: {{a/get: 2, b/get: 0, fetch: 2, a/fetch: 2}}
"
    ));
    let counts: Vec<_> = rehearsed.report.executed.into_iter().collect();
    assert_eq!(counts, [("a/get".to_owned(), 2)]);
}

#[test]
fn an_ambiguous_tool_name_is_reported_wherever_it_is() {
    let told = "more than one tool is called `get`; write `namespace/name`";
    assert_eq!(
        problems(&format!(
            "{TWO_OF_A_NAME}
approvals: [{{tool: get, answer: allow}}, {{tool: 'ge*', answer: allow}}]
inputs: [{{tool: get, answer: 1}}]
expect: [{{executed: {{get: 1}}}}]
"
        )),
        [
            format!("/approvals/0/tool (6:20): {told}"),
            format!("/inputs/0/tool (7:17): {told}"),
            format!("/expect/0/executed/get (8:27): {told}"),
        ]
    );
}

#[test]
fn a_slash_in_a_name_does_not_make_a_namespace_of_its_beginning() {
    let rehearsed = all_hold(
        "
tools:
  - {name: fs/read, safety: {read_only: true}, run: [{return_text: x}]}
  - {name: fs/write, run: [{need_input: {prompt: which}}, {return_text: x}]}
approvals: [{tool: fs/write, answer: allow}]
inputs: [{tool: fs/write, answer: this}]
calls: [{id: a, tool: fs/read, input: {}}, {id: b, tool: fs/write, input: {}}]
expect:
  - executed: {fs/read: 1, rehearsal/fs/write: 1}
  - {call: b, status: succeeded}
",
    );
    let names: Vec<_> = rehearsed.report.executed.into_keys().collect();
    assert_eq!(names, ["fs/read", "fs/write"]);
}

#[test]
fn the_person_answers_for_the_tool_that_is_meant() {
    let scenario = |tool: &str| {
        format!(
            "
tools:
  - {{name: put, namespace: a, aliases: [store], run: [{{return_text: x}}]}}
  - {{name: put, namespace: b, aliases: [b_put], run: [{{return_text: y}}]}}
approval_timeout_ms: 10
approvals: [{{tool: {tool}, answer: allow}}, {{tool: {tool}, answer: allow}}]
calls: [{{id: a, tool: a/put, input: {{}}}}, {{id: b, tool: b/put, input: {{}}}}]
"
        )
    };
    for (tool, a, b) in [
        ("a/put", "succeeded", "timed_out"),
        ("store", "succeeded", "timed_out"),
        ("b/*", "timed_out", "succeeded"),
        ("b_*", "timed_out", "succeeded"),
        ("'*put'", "succeeded", "succeeded"),
        ("a", "timed_out", "timed_out"),
    ] {
        let report = rehearsed(&scenario(tool)).report;
        let found: Vec<_> = report.calls.iter().map(|call| call.status.as_str()).collect();
        assert_eq!(found, [a, b], "{tool}");
    }
}

#[test]
fn a_tool_without_a_namespace_is_in_the_one_of_rehearsals() {
    assert_eq!(
        problems(
            "tools:\n- {name: one, run: [{echo: true}]}\n\
             - {name: one, namespace: rehearsal, run: [{echo: true}]}\n"
        ),
        ["/tools/1/name (3:10): another tool is called `rehearsal/one`, in line 2"]
    );
}

#[test]
fn a_tool_that_is_switched_off_or_retired_is_not_brought_back_by_being_deferred() {
    for lifecycle in ["disabled", "retired", "draft"] {
        let rehearsed = all_hold(&format!(
            "
tools: [{{name: off, lifecycle: {lifecycle}, deferred: true, safety: {{read_only: true}}, run: [{{return_text: x}}]}}]
search: [{{query: 'select:off'}}]
calls: [{{id: one, tool: off, input: {{}}}}]
expect: [{{executed: {{off: 0}}}}]
"
        ));
        assert!(rehearsed.report.executed.is_empty(), "{lifecycle}");
    }
}
