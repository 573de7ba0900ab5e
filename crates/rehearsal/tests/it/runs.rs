//! The examples, run through the real pipeline.

use std::collections::BTreeMap;

use assent_ids::InvocationId;
use assent_journal::{Fact, Inputs};
use assent_json::Json;
use assent_rehearsal::{CrashPoint, Format, Options, Rehearsed, read};

use crate::{
    examples::examples,
    harness::{lines, run},
};

/// What each call was given, as its record tells.
fn inputs(rehearsed: &Rehearsed) -> BTreeMap<InvocationId, Inputs> {
    let ended = rehearsed.entries.iter().filter_map(|entry| match &entry.draft.fact {
        Fact::Ended(ended) => Some((entry.draft.invocation?, ended.inputs.clone())),
        _ => None,
    });
    ended.collect()
}

#[test]
fn every_expectation_of_every_example_holds_and_every_journal_is_sound() {
    for (name, _, scenario) in examples() {
        let rehearsed = run(&scenario, Options::default()).unwrap_or_else(|error| {
            panic!("{name}: {error:?}");
        });
        let unmet: Vec<_> = rehearsed.unmet.iter().map(ToString::to_string).collect();
        assert!(unmet.is_empty(), "{name}:\n{}", unmet.join("\n"));
        assert_eq!(rehearsed.report.calls.len(), scenario.calls.len(), "{name}");
    }
}

#[test]
fn two_runs_give_the_same_journal_ids_included() {
    for (name, _, scenario) in examples() {
        let once = run(&scenario, Options::default()).unwrap();
        let again = run(&scenario, Options::default()).unwrap();
        assert_eq!(lines(&once.entries), lines(&again.entries), "{name}");
    }
}

/// Whatever is known of the inputs of calls is what they were.
fn assert_inputs_agree(context: &str, calm: &Rehearsed, crashed: &Rehearsed) {
    let whole = inputs(calm);
    let agrees = |known: Option<Json>, whole: &Option<Json>| known.is_none() || known == *whole;
    for (call, known) in inputs(crashed) {
        let whole = &whole[&call];
        assert_eq!(known.model, whole.model, "{context}");
        assert!(agrees(known.observable, &whole.observable), "{context}: observable");
        assert!(agrees(known.permission, &whole.permission), "{context}: permission");
        assert!(agrees(known.call, &whole.call), "{context}: call");
    }
}

/// The process dies at each boundary of the journal, before and after the batch is written. Nothing
/// runs twice that does not say it can, nothing that was recorded is lost, and every call ends once.
#[test]
fn a_crash_at_any_boundary_of_the_journal_loses_nothing_and_repeats_nothing() {
    for (name, _, scenario) in examples() {
        let calm = run(&scenario, Options::default()).unwrap();
        for boundary in 1..=calm.batches {
            for crash in [CrashPoint::Before(boundary), CrashPoint::After(boundary)] {
                let options = Options { crash: Some(crash), ..Options::default() };
                let crashed = run(&scenario, options).unwrap();
                let context = format!("{name}, crash {crash:?}");
                // What is sensitive is replaced under a key that does not outlive the process.
                if scenario.tools.iter().all(|tool| tool.sensitive_fields.is_empty()) {
                    assert_inputs_agree(&context, &calm, &crashed);
                }
                assert_eq!(crashed.report.calls.len(), scenario.calls.len(), "{context}");
                for tool in scenario.tools.iter().filter(|tool| !tool.supports_resume) {
                    let name = tool.name.as_str();
                    let count = |counts: &std::collections::BTreeMap<String, u64>| {
                        counts.get(name).copied().unwrap_or_default()
                    };
                    let calls = scenario.calls.iter().filter(|call| {
                        scenario.tool(&call.tool).is_some_and(|called| called.name == tool.name)
                    });
                    assert!(
                        count(&crashed.report.executed) <= calls.count() as u64,
                        "{context}: `{name}` ran twice"
                    );
                }
            }
        }
    }
}

/// Nothing secret is kept while a tool runs, and yet its record tells afterwards what it was given.
#[test]
fn what_a_tool_was_given_is_known_although_the_process_died_while_it_ran() {
    let asked = "rules: [{id: r, behavior: ask}]\napprovals: [{answer: ";
    let cases = [
        ("", "rules: [{id: r, behavior: allow}]".to_owned()),
        ("defaults: {mode: fast}", "rules: [{id: r, behavior: allow}]".to_owned()),
        ("", format!("{asked}allow}}]")),
        ("defaults: {mode: fast}", format!("{asked}allow}}]")),
        ("", format!("{asked}edit, edit: {{path: /y, key: swordfish}}}}]")),
        (
            "",
            "rules: [{id: r, behavior: allow}]
hooks: [{id: h, event: pre_tool_use, do: [{update_input: {path: /z, key: opensesame}}]}]"
                .to_owned(),
        ),
    ];
    for (more, rest) in cases {
        let text = |actions: &str| {
            let tool = "
tools:
  - name: work
    input_schema:
      type: object
      properties: {path: {type: string}, key: {type: string}, mode: {type: string}}
    sensitive_fields: [/key]
    MORE
    run: [{sleep_ms: 5000}, {return_text: done}]
calls:
  - {id: a, tool: work, input: {path: /x, key: hunter2}}
";
            format!("{}{rest}\n{actions}\n", tool.replace("MORE", more))
        };
        let rehearsed = |actions: &str| {
            let scenario = read(text(actions).as_bytes(), Format::Yaml).unwrap();
            run(&scenario, Options::default()).unwrap()
        };
        let (calm, crashed) = (rehearsed(""), rehearsed("actions: [{at_ms: 1000, do: restart}]"));
        assert_eq!(calm.report.calls[0].status.as_str(), "succeeded", "{more} {rest}");
        assert_eq!(crashed.report.calls[0].status.as_str(), "failed", "{more} {rest}");
        assert_eq!(inputs(&crashed), inputs(&calm), "{more} {rest}");
    }
}

/// `b` depends on `a`, and `c` on `b`, each in a batch of its own.
const CHAIN: &str = "
tools:
  - {name: first, safety: {read_only: true}, run: [FIRST]}
  - {name: later, safety: {read_only: true}, run: [{sleep_ms: 10}, {return_text: done}]}
rules: [{id: no, behavior: deny, tool: first, arguments: [{path: /forbidden, equals: true}]}]
scheduler: {sibling_failure_policy: POLICY}
calls:
  - {id: a, tool: first, input: {forbidden: FORBIDDEN}}
  - {id: b, tool: later, input: {}, batch: 2, depends_on: [a]}
  - {id: free, tool: later, input: {}, batch: 2}
  - {id: c, tool: later, input: {}, batch: 3, depends_on: [b]}
";

/// E38: a call that was denied or failed takes along what depends on it in later batches, and what depends on
/// that, wherever the process dies meanwhile; unless the policy is to ignore it.
#[test]
fn a_call_that_depends_on_an_earlier_batch_ends_with_it() {
    let fails = "{fail: {class: execution_failed, message: on purpose}}";
    for (first, forbidden, policy, status) in [
        ("{return_text: fine}", false, "cancel_dependent", "succeeded"),
        (fails, false, "cancel_dependent", "canceled"),
        ("{return_text: fine}", true, "cancel_dependent", "canceled"),
        (fails, false, "ignore", "succeeded"),
    ] {
        let text = CHAIN
            .replace("FIRST", first)
            .replace("FORBIDDEN", &forbidden.to_string())
            .replace("POLICY", policy);
        let scenario = read(text.as_bytes(), Format::Yaml).unwrap();
        let calm = run(&scenario, Options::default()).unwrap();
        let crashes = (1..=calm.batches)
            .flat_map(|boundary| [CrashPoint::Before(boundary), CrashPoint::After(boundary)]);
        for crash in std::iter::once(None).chain(crashes.map(Some)) {
            let case = format!("{first}, {forbidden}, {policy}, {crash:?}");
            let rehearsed = run(&scenario, Options { crash, ..Options::default() }).unwrap();
            for call in
                rehearsed.report.calls.iter().filter(|call| ["b", "c"].contains(&call.id.as_str()))
            {
                // A process that died while it ran has not brought it to its end.
                let was_running = crash.is_some() && call.status.as_str() == "failed";
                if status == "canceled" {
                    assert_eq!(call.status.as_str(), status, "{case}: {}", call.id);
                    assert!(!call.executed, "{case}: {}", call.id);
                } else if crash.is_none() {
                    assert_eq!(call.status.as_str(), status, "{case}: {}", call.id);
                } else {
                    let ended = [status, "canceled"].contains(&call.status.as_str());
                    assert!(ended || was_running, "{case}: {} {}", call.id, call.status);
                }
            }
        }
    }
}
