//! What is wrong with a file, and where.

use assent_document::locate;
use assent_rehearsal::Format;

use crate::{problems, problems_of};

/// Each file with all its problems.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(problems(text), expected, "{text}");
}

#[test]
fn unknown_keys_are_reported_with_a_suggestion() {
    check("tool: []", &["/tool (1:1): the key `tool` is not known here; did you mean `tools`?"]);
    check(
        "surface: {x: 1}",
        &["/surface/x (1:11): the key `x` is not known here; known are `budget`, `blocked`"],
    );
    check(
        "calls:\n  - {id: a, tool: t, input: {}, dependsOn: []}\n",
        &["/calls/0/dependsOn (2:33): the key `dependsOn` is not known here; \
           did you mean `depends_on`?"],
    );
    check(
        "tools: [{name: t, run: [{retrun: 1}]}]",
        &["/tools/0/run/0/retrun (1:26): the key `retrun` is not known here; \
           did you mean `return`?"],
    );
}

#[test]
fn unknown_keys_are_reported_even_if_a_required_key_is_missing() {
    check(
        "tools:\n  - nam: t\n",
        &[
            "/tools/0 (2:5): `name` is missing",
            "/tools/0 (2:5): `run` is missing",
            "/tools/0/nam (2:5): the key `nam` is not known here; did you mean `name`?",
        ],
    );
}

#[test]
fn wrong_types_say_what_was_expected() {
    check("[]", &["(1:1): expected an object, found a list"]);
    check("tools: {}", &["/tools (1:8): expected a list, found an object"]);
    check("tools:", &["/tools (1:6): expected a list, found nothing"]);
    check("policies: 1", &["/policies (1:11): expected text, found a number; put it into quotes"]);
    check(
        "calls: [{id: true, tool: t, input: 1}]",
        &["/calls/0/id (1:14): expected text, found a boolean; put it into quotes"],
    );
    check(
        "tools: [{name: t, deferred: 'yes', run: [{echo: true}]}]",
        &["/tools/0/deferred (1:29): expected `true` or `false`, found text"],
    );
    check(
        "tools: [{name: t, input_schema: text, run: [{echo: true}]}]",
        &["/tools/0/input_schema (1:33): expected a JSON Schema, found text"],
    );
    check(
        "hooks: [{id: h, event: pre_tool_use, do: [{update_input: []}]}]",
        &["/hooks/0/do/0/update_input (1:58): expected an object, found a list"],
    );
    check(
        "rules: [{id: r, behavior: ask, arguments: [{path: /a, above: '1'}]}]",
        &["/rules/0/arguments/0/above (1:62): expected a number, found text"],
    );
    check(
        "expect: [{executed: true}]",
        &["/expect/0/executed (1:21): expected an object with a number for each tool, \
           found a boolean"],
    );
}

#[test]
fn wrong_words_list_the_allowed_ones() {
    check("clock: fast", &["/clock (1:8): expected one of `virtual`, `real`, found `fast`"]);
    check(
        "mode: readonly",
        &["/mode (1:7): expected one of `interactive`, `headless`, `read_only`, `plan`, \
           found `readonly`"],
    );
    check(
        "rules: [{id: r, behavior: passthrough}]",
        &["/rules/0/behavior (1:27): expected one of `allow`, `ask`, `deny`, found `passthrough`"],
    );
    check(
        "actions: [{at_ms: 1, do: stop}]",
        &["/actions/0/do (1:26): expected one of `cancel`, `interrupt`, `restart`, found `stop`"],
    );
    check(
        "hooks: [{id: h, event: pre, do: []}]",
        &["/hooks/0/event (1:24): expected one of `pre_tool_use`, `post_tool_use`, \
           `post_tool_use_failure`, `permission_request`, `permission_decision`, \
           `result_persistence`, found `pre`"],
    );
    check(
        "calls: [{id: a, tool: t, input: 1}]\nexpect: [{call: a, status: running}]",
        &["/expect/0/status (2:28): expected one of `schema_parse_failed`, `validation_failed`, \
           `denied`, `blocked`, `succeeded`, `failed`, `canceled`, `timed_out`, found `running`"],
    );
}

#[test]
fn numbers_are_bounded() {
    check(
        "actions: [{at_ms: -1, do: restart}]",
        &["/actions/0/at_ms (1:19): expected a whole number from 0 to 31622400000, found -1"],
    );
    check(
        "approval_timeout_ms: 0",
        &["/approval_timeout_ms (1:22): expected a whole number from 1 to 31622400000, found 0"],
    );
    check("approval_timeout_ms: 31622400000", &[]);
    check(
        "approval_timeout_ms: 31622400001",
        &["/approval_timeout_ms (1:22): expected a whole number from 1 to 31622400000, \
           found 31622400001"],
    );
    check(
        "scheduler: {max_parallel: 1.5}",
        &["/scheduler/max_parallel (1:27): expected a whole number from 1 to 4294967295, \
           found 1.5"],
    );
    check("tools: [{name: t, run: [{return_bytes: 67108864}]}]", &[]);
    check(
        "tools: [{name: t, run: [{return_bytes: 67108865}]}]",
        &["/tools/0/run/0/return_bytes (1:40): expected a whole number from 0 to 67108864, \
           found 67108865"],
    );
    check(
        "tools: [{name: t, run: [{progress: {percent: 101}}, {hang: true}]}]",
        &["/tools/0/run/0/progress/percent (1:46): expected a number from 0 to 100, found 101"],
    );
}

#[test]
fn names_are_given_once() {
    check(
        "tools:\n- {name: t, run: [{echo: true}]}\n- {name: t, namespace: n, run: [{echo: true}]}\n\
         - {name: t, run: [{echo: true}]}\n",
        &["/tools/2/name (4:10): another tool is called `t`, in line 2"],
    );
    check(
        "tools:\n- {name: t, namespace: n, run: [{echo: true}]}\n\
         - {namespace: n, name: t, run: [{echo: true}]}\n",
        &["/tools/1/name (3:24): another tool is called `n/t`, in line 2"],
    );
    check(
        "rules:\n- {id: x, behavior: ask}\n- {id: x, behavior: ask}\n\
         hooks:\n- {id: x, event: pre_tool_use, do: []}\n- {id: x, event: pre_tool_use, do: []}\n\
         calls:\n- {id: x, tool: t, input: 1}\n- {id: x, tool: t, input: 1}\n",
        &[
            "/rules/1/id (3:8): another rule is called `x`, in line 2",
            "/hooks/1/id (6:8): another hook is called `x`, in line 5",
            "/calls/1/id (9:8): another call is called `x`, in line 8",
        ],
    );
    check(
        "calls: [{id: 'a b', tool: t, input: 1}]",
        &["/calls/0/id (1:14): `a b` is not a valid call id: \
           the character at byte 1 may not stand there"],
    );
}

#[test]
fn calls_that_are_referred_to_are_there() {
    check(
        "calls: [{id: first, tool: t, input: 1, depends_on: [fisrt]}]\n\
         actions: [{at_ms: 1, do: cancel, call: b}]\n\
         approvals: [{call: c, answer: allow}]\n\
         inputs: [{call: d, answer: 1}]\n\
         expect: [{call: e, executed: true}, {delivered: [first, f]}]\n",
        &[
            "/calls/0/depends_on/0 (1:53): no call has the id `fisrt`; did you mean `first`?",
            "/actions/0/call (2:40): no call has the id `b`",
            "/approvals/0/call (3:20): no call has the id `c`",
            "/inputs/0/call (4:17): no call has the id `d`",
            "/expect/0/call (5:17): no call has the id `e`",
            "/expect/1/delivered/1 (5:57): no call has the id `f`",
        ],
    );
}

#[test]
fn a_call_with_a_mistake_in_it_is_still_there_to_be_referred_to() {
    check(
        "calls: [{id: a, tool: t}]\nexpect: [{call: a, executed: true}]\n",
        &["/calls/0 (1:9): `input` is missing"],
    );
}

#[test]
fn tools_that_are_counted_or_blocked_are_there() {
    check(
        "tools:\n- {name: read, namespace: a, run: [{echo: true}]}\n\
         - {name: read, namespace: b, run: [{echo: true}]}\n- {name: write, run: [{echo: true}]}\n\
         surface: {blocked: [{tool: wrte, reason: x}]}\n\
         expect: [{executed: {read: 1, a/read: 0, nothing: 1}}]\n",
        &[
            "/surface/blocked/0/tool (5:28): no tool is called `wrte`; did you mean `write`?",
            "/expect/0/executed/read (6:28): more than one tool is called `read`; \
             write `namespace/name`",
            "/expect/0/executed/nothing (6:51): no tool is called `nothing`",
        ],
    );
}

#[test]
fn calls_wait_for_no_later_batch() {
    check(
        "calls:\n- {id: a, tool: t, input: 1, depends_on: [b]}\n\
         - {id: b, tool: t, input: 1, batch: 2, depends_on: [c]}\n\
         - {id: c, tool: t, input: 1, batch: 2}\n",
        &["/calls/0/depends_on/0 (2:43): `a` runs in batch 1 and cannot wait for `b` in batch 2"],
    );
}

#[test]
fn calls_do_not_wait_in_a_circle() {
    check(
        "calls:\n- {id: before, tool: t, input: 1, depends_on: [a]}\n\
         - {id: a, tool: t, input: 1, depends_on: [b]}\n\
         - {id: b, tool: t, input: 1, depends_on: [after, c]}\n\
         - {id: c, tool: t, input: 1, depends_on: [a]}\n\
         - {id: after, tool: t, input: 1}\n",
        &["/calls/1/depends_on/0 (3:43): none of these calls can start, \
           for each waits for another: `a`, `b`, `c`"],
    );
    check(
        "calls: [{id: a, tool: t, input: 1, depends_on: [a]}]",
        &["/calls/0/depends_on/0 (1:49): `a` waits for itself"],
    );
    check(
        "calls: [{id: a, tool: t, input: 1}, {id: b, tool: t, input: 1, depends_on: [a, a]}]",
        &["/calls/1/depends_on/1 (1:80): `a` is named twice"],
    );
}

#[test]
fn a_run_ends_exactly_once() {
    check(
        "tools: [{name: t, run: [{return: 1}, {sleep_ms: 1}, {hang: true}]}]",
        &["/tools/0/run/1 (1:38): nothing can follow the step that ends the run"],
    );
    check(
        "tools: [{name: t, run: []}]",
        &["/tools/0/run (1:24): the last step must be one of `return`, `return_text`, \
           `return_bytes`, `return_empty`, `echo`, `fail`, `hang`"],
    );
    check(
        "tools: [{name: t, run: [{return: 1, hang: true}]}]",
        &["/tools/0/run/0 (1:25): only one of `return`, `hang` can be here"],
    );
    check(
        "tools: [{name: t, run: [{}]}]",
        &["/tools/0/run/0 (1:25): one of `progress`, `sleep_ms`, `partial`, `need_input`, \
           `artifact`, `context_modifier`, `return`, `return_text`, `return_bytes`, \
           `return_empty`, `echo`, `fail`, `hang` must be here"],
    );
    check(
        "tools: [{name: t, run: [{echo: false}]}]",
        &["/tools/0/run/0/echo (1:32): only `true` makes sense here; leave it out instead"],
    );
    check(
        "tools: [{name: t, run: [{fail: {class: oops, message: m, retry_after: soon}}]}]",
        &[
            "/tools/0/run/0/fail/class (1:40): expected one of `unknown_tool`, \
             `invalid_arguments`, `schema_validation_failed`, `schema_not_loaded`, \
             `permission_denied`, `approval_rejected`, `policy_blocked`, `hook_blocked`, \
             `capability_gap`, `setup_required`, `credential_missing`, `sandbox_violation`, \
             `timeout`, `rate_limited`, `dependency_unavailable`, `execution_failed`, \
             `partial_failure`, `result_too_large`, `result_redacted`, `sibling_canceled`, \
             `streaming_fallback_discarded`, `canceled`, `blocked_tool`, \
             `input_mutation_failed`, `hook_failed`, `result_mapping_failed`, \
             `post_hook_failed`, found `oops`",
            "/tools/0/run/0/fail/retry_after (1:71): expected a number of seconds, \
             or a time such as `2026-05-08T00:00:00Z`",
        ],
    );
}

#[test]
fn schemas_are_compiled_and_their_problems_located() {
    check(
        "tools:\n- name: t\n  input_schema:\n    type: object\n    properties:\n      a: {type: strnig}\n      \
         b: {pattern: '(?=x)'}\n  output_schema: {$ref: 'https://example.org/x'}\n  \
         run: [{echo: true}]\n",
        &[
            "/tools/0/input_schema/properties/a/type (6:17): not a Draft 2020-12 schema: \
             fits none of the alternatives",
            "/tools/0/output_schema/$ref (8:25): only references inside the schema (`#/…` or \
             `#anchor`) are followed; copy the referred schema into `$defs`",
        ],
    );
    check(
        "tools:\n- name: t\n  input_schema:\n    properties: {b: {pattern: '(?=x)'}}\n  \
         run: [{echo: true}]\n",
        &["/tools/0/input_schema/properties/b/pattern (4:31): `(?=x)` uses look-around or \
           back-references, which cannot be matched in linear time"],
    );
}

#[test]
fn patterns_and_pointers_are_checked() {
    check(
        "rules: [{id: r, behavior: ask, arguments: [{path: a, equals: 1}, \
         {path: /a~2, equals: 1}, {path: /a~, equals: 1}, {path: /a, matches: '('}]}]",
        &[
            "/rules/0/arguments/0/path (1:51): a path is a JSON Pointer: empty, or a `/` before \
             each step, `~` only in `~0` and `~1`",
            "/rules/0/arguments/1/path (1:73): a path is a JSON Pointer: empty, or a `/` before \
             each step, `~` only in `~0` and `~1`",
            "/rules/0/arguments/2/path (1:98): a path is a JSON Pointer: empty, or a `/` before \
             each step, `~` only in `~0` and `~1`",
            "/rules/0/arguments/3/matches (1:135): `(` is not a regular expression that is \
             matched in linear time",
        ],
    );
    check(
        "tools: [{name: t, sensitive_fields: [/a~x, ''], run: [{echo: true}]}]",
        &[
            "/tools/0/sensitive_fields/0 (1:38): expected a JSON Pointer such as `/path` \
             or `/items/0/name`, found `/a~x`",
            "/tools/0/sensitive_fields/1 (1:44): the text must not be empty",
        ],
    );
    check(
        "tools: [{name: t, safety: {read_only: maybe}, run: [{echo: true}]}]",
        &["/tools/0/safety/read_only (1:39): expected `true`, `false`, `classifier:<id>` \
           or `same_as:<fact>`"],
    );
}

#[test]
fn a_condition_tests_something() {
    check(
        "rules: [{id: r, behavior: ask, arguments: [{path: /a}, {path: /a, equals: 1, above: 0}, \
         {path: /a, in: []}, {pth: /a, under: /x}]}]",
        &[
            "/rules/0/arguments/0 (1:44): nothing is tested: add one of `equals`, `matches`, \
             `under`, `host`, `url`, `command`, `in`, `above`, `below`, `absent`, `digest`, `shape`",
            "/rules/0/arguments/2/in (1:104): the list must not be empty",
            "/rules/0/arguments/3 (1:109): `path` is missing",
            "/rules/0/arguments/3/pth (1:110): the key `pth` is not known here; \
             did you mean `path`?",
        ],
    );
}

#[test]
fn an_example_of_a_rule_is_a_call() {
    check(
        "rules: [{id: r, behavior: ask, match: [{tool: t}, 1], not_match: [{inptu: 1, input: 2}], \
         arguments: [{path: /c, command: [7]}], bypass_immune: 1}]",
        &[
            "/rules/0/match/0 (1:40): `input` is missing",
            "/rules/0/match/1 (1:51): expected an object, found a number",
            "/rules/0/not_match/0/inptu (1:68): the key `inptu` is not known here; \
             did you mean `input`?",
            "/rules/0/arguments/0/command/0 (1:123): expected text, found a number; put it into quotes",
            "/rules/0/bypass_immune (1:144): expected `true` or `false`, found a number",
        ],
    );
}

#[test]
fn answers_actions_and_expectations_make_sense() {
    check(
        "approvals: [{answer: edit}, {answer: allow, edit: {}}, {}]",
        &[
            "/approvals/0 (1:13): `edit` is missing",
            "/approvals/1 (1:29): `edit` needs the answer `edit`",
            "/approvals/2 (1:56): `answer` is missing",
        ],
    );
    check(
        "calls: [{id: a, tool: t, input: 1}]\nactions: [{at_ms: 1, do: restart, call: a}]",
        &["/actions/0 (2:11): a restart concerns the whole run: remove `call`"],
    );
    check(
        "calls: [{id: a, tool: t, input: 1}]\n\
         expect: [{call: a}, {}, {executed: {}, delivered: []}, {delivered: [a, a]}]",
        &[
            "/expect/0 (2:10): nothing is expected of the call: add `status`, `error_class`, \
             `executed` or `result_contains`",
            "/expect/1 (2:21): one of `call`, `executed`, `delivered` must be here",
            "/expect/2 (2:25): only one of `executed`, `delivered` can be here",
            "/expect/3/delivered/1 (2:72): `a` is named twice",
        ],
    );
}

#[test]
fn all_problems_are_reported_in_the_order_of_the_text_in_every_format() {
    let json = r#"{
  "expect": [{"call": "b", "status": "fine"}],
  "clock": 7,
  "calls": [{"id": "a", "tool": "t", "inputs": {}}]
}"#;
    let expected = [
        "/expect/0/call (2:23): no call has the id `b`",
        "/expect/0/status (2:38): expected one of `schema_parse_failed`, `validation_failed`, \
         `denied`, `blocked`, `succeeded`, `failed`, `canceled`, `timed_out`, found `fine`",
        "/clock (3:12): expected text, found a number; put it into quotes",
        "/calls/0 (4:13): `input` is missing",
        "/calls/0/inputs (4:38): the key `inputs` is not known here; did you mean `input`?",
    ];
    assert_eq!(problems_of(json, Format::Json), expected);
    assert_eq!(problems_of(json, Format::Yaml), expected);
}

#[test]
fn texts_of_the_file_are_made_harmless_before_they_are_shown() {
    let key = format!("\"\\u001b[31m{}\": 1", "x".repeat(100));
    let shown = problems_of(&format!("{{{key}}}"), Format::Json);
    assert_eq!(shown.len(), 1);
    let message = shown[0].split_once("): ").unwrap().1;
    assert!(message.starts_with(r"the key `\u{1b}[31mxxx"), "{message}");
    assert!(message.contains("…`"), "{message}");
}

#[test]
fn a_place_can_be_found_later() {
    let yaml = "policies: |\n  permit;\nexpect:\n  - {call: é, executed: true}\n";
    let json = r#"{"policies": "x", "expect": [{"call": "a"}]}"#;
    for (text, format, path, line, column) in [
        (yaml, Format::Yaml, "/policies", 2, 3),
        (yaml, Format::Yaml, "/expect", 3, 1),
        (yaml, Format::Yaml, "/expect/0", 4, 5),
        (yaml, Format::Yaml, "/expect/0/executed", 4, 25),
        (yaml, Format::Yaml, "/expect/7", 3, 1),
        (yaml, Format::Yaml, "", 1, 1),
        (json, Format::Json, "/expect/0/call", 1, 39),
        ("a: [", Format::Yaml, "/a", 1, 1),
    ] {
        let found = locate(text.as_bytes(), format, path);
        assert_eq!((found.line, found.column), (line, column), "{path}");
    }
}
