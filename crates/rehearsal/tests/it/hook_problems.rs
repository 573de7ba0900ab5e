//! What is wrong with hooks and patterns, and where: a guard that is left out guards nothing.

use assent_protocol::{agent_tool::HookEvent, wire::Word as _};

use crate::problems;

#[test]
fn an_invalid_pattern_is_reported_wherever_it_is() {
    let lone = "a pattern must not end in a lone `\\`: write `\\\\` for the character itself";
    assert_eq!(
        problems(
            r#"
tools: [{name: wipe, run: [{echo: true}]}]
hooks: [{id: guard, event: pre_tool_use, tool: "wipe\\", do: [{decide: deny}]}]
rules: [{id: r, behavior: allow, tool: "wipe\\"}]
approvals: [{tool: "wipe\\", answer: allow}]
inputs: [{tool: "wipe\\", answer: 1}]
"#
        ),
        [
            format!("/hooks/0/tool (3:48): {lone}"),
            format!("/rules/0/tool (4:40): {lone}"),
            format!("/approvals/0/tool (5:20): {lone}"),
            format!("/inputs/0/tool (6:17): {lone}"),
        ]
    );
    assert_eq!(
        problems("approvals: [{tool: '', answer: allow}]"),
        ["/approvals/0/tool (1:20): a pattern must not be empty: leave it out to match everything"]
    );
}

#[test]
fn a_pattern_has_at_most_1024_bytes() {
    let hook =
        |tool: &str| format!("hooks: [{{id: h, event: pre_tool_use, tool: '{tool}', do: []}}]");
    assert_eq!(problems(&hook(&"*".repeat(1024))), Vec::<String>::new());
    assert_eq!(
        problems(&hook(&"*".repeat(1025))),
        ["/hooks/0/tool (1:44): a pattern has at most 1024 bytes"]
    );
}

/// What `docs/hooks.md` says for hooks of every kind.
#[test]
fn an_effect_that_does_nothing_in_its_event_is_reported() {
    let effects = [
        ("update_input", "{update_input: {}}"),
        ("decide", "{decide: deny}"),
        ("add_context", "{add_context: x}"),
        ("message", "{message: x}"),
        ("progress", "{progress: {}}"),
        ("stop", "{stop: x}"),
        ("update_output", "{update_output: 1}"),
        ("fail", "{fail: x}"),
        ("sleep_ms", "{sleep_ms: 1}"),
    ];
    for event in HookEvent::WORDS {
        let possible: &[&str] = match event {
            HookEvent::PreToolUse | HookEvent::PermissionRequest => &[
                "update_input",
                "decide",
                "add_context",
                "message",
                "progress",
                "stop",
                "fail",
                "sleep_ms",
            ],
            HookEvent::PostToolUse => {
                &["add_context", "message", "progress", "stop", "update_output", "fail", "sleep_ms"]
            }
            HookEvent::PostToolUseFailure => {
                &["add_context", "message", "progress", "stop", "fail", "sleep_ms"]
            }
            HookEvent::PermissionDecision | HookEvent::ResultPersistence => {
                &["message", "progress", "fail", "sleep_ms"]
            }
        };
        for (effect, written) in effects {
            let expected = if possible.contains(&effect) {
                Vec::new()
            } else {
                let possible = possible.join("`, `");
                vec![format!(
                    "/hooks/0/do/0 (4:8): `{effect}` does nothing in `{event}`; possible are \
                     `{possible}`"
                )]
            };
            let text = format!("hooks:\n- id: h\n  event: {event}\n  do: [{written}]\n");
            assert_eq!(problems(&text), expected, "{text}");
        }
    }
}

#[test]
fn the_progress_of_a_hook_is_read_like_that_of_a_tool() {
    assert_eq!(
        problems(
            "hooks:\n- id: h\n  event: pre_tool_use\n  \
             do: [{progress: {percent: 500, message: 3, wat: true}}]\n"
        ),
        [
            "/hooks/0/do/0/progress/percent (4:29): expected a number from 0 to 100, found 500",
            "/hooks/0/do/0/progress/message (4:43): expected text, found a number; put it into quotes",
            "/hooks/0/do/0/progress/wat (4:46): the key `wat` is not known here; known are \
             `percent`, `message`",
        ]
    );
}
