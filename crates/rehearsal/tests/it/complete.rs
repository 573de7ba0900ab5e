//! A file that uses every key.

mod rules;

use std::num::NonZeroU32;

use assent_ids::{ArtifactId, CallId, CallableName, HookId, Namespace};
use assent_json::Pointer;
use assent_policy::Decision;
use assent_protocol::{
    agent_tool::{
        ContextModifierPolicy, ErrorClass, ExclusionReason, Flag, HookEvent, InterruptBehavior,
        LockMode, MutationRule, OrderingPolicy, PersistenceStrategy, ResourceLock, RetryAfter,
        SiblingFailurePolicy, TerminalStatus, ToolKind, ToolLifecycle, YieldPolicy,
    },
    wire::{Count, Millis, Object, Open, Percent},
};
use assent_rehearsal::*;
use serde_json::{Value, json};

const YAML: &str = include_str!("../data/complete.yaml");
const JSON: &str = include_str!("../data/complete.json");

fn id(text: &str) -> CallId {
    text.parse().unwrap()
}

fn name(text: &str) -> CallableName {
    text.parse().unwrap()
}

fn object(value: Value) -> Object {
    serde_json::from_value(value).unwrap()
}

fn path(tokens: &[&str]) -> Pointer {
    tokens.iter().fold(Pointer::root(), |path, token| path.key(token))
}

fn read_yaml() -> Scenario {
    read(YAML.as_bytes(), Format::Yaml).unwrap()
}

/// A tool of which nothing is said but its name and its end.
fn bare(tool: &str, end: End) -> Tool {
    Tool {
        name: name(tool),
        namespace: None,
        aliases: vec![],
        title: None,
        description: None,
        search_hint: None,
        lifecycle: None,
        tool_kind: None,
        deferred: false,
        provider_pending: None,
        input_schema: None,
        runtime_input_schema: None,
        output_schema: None,
        internal_only_fields: vec![],
        sensitive_fields: vec![],
        defaults: None,
        mutation_policy: MutationPolicy {
            hooks: MutationRule::Allow,
            prompts: MutationRule::Allow,
        },
        safety: Safety::default(),
        locks: vec![],
        timeout: None,
        supports_cancel: None,
        persistence: Persistence::default(),
        external_mappings: vec![],
        supports_resume: false,
        refuse: vec![],
        run: Script { steps: vec![], end },
    }
}

fn send_mail(refuse: Vec<Refusal>) -> Tool {
    Tool {
        namespace: Some("mail".parse::<Namespace>().unwrap()),
        aliases: vec![name("mail"), name("post")],
        title: Some("Send mail".to_owned()),
        description: Some("Sends a message.".to_owned()),
        search_hint: Some("send a mail message".to_owned()),
        lifecycle: Some(ToolLifecycle::Available),
        tool_kind: Some(Open::Known(ToolKind::McpTool)),
        deferred: true,
        provider_pending: Some(PendingProvider::Named("mail-server".to_owned())),
        input_schema: Some(json!({
            "type": "object",
            "properties": {
                "to": {"type": "string", "pattern": "@"},
                "text": {"type": "string"},
            },
            "required": ["to"],
        })),
        runtime_input_schema: Some(json!({"type": "object"})),
        output_schema: Some(json!(true)),
        internal_only_fields: vec![path(&["session"]), path(&["trace/id"])],
        sensitive_fields: vec![path(&["text"])],
        defaults: Some(object(json!({"text": ""}))),
        mutation_policy: MutationPolicy {
            hooks: MutationRule::InternalOnly,
            prompts: MutationRule::Forbid,
        },
        safety: Safety {
            read_only: Some(Flag::Stated(false)),
            concurrency_safe: Some(Flag::Text("same_as:is_read_only".to_owned())),
            destructive: Some(Flag::Stated(true)),
            open_world: Some(Flag::Stated(true)),
        },
        locks: vec![
            ResourceLock::new("outbox", LockMode::Exclusive),
            ResourceLock::new("contacts", LockMode::Shared),
        ],
        timeout: Some(Millis(2000)),
        supports_cancel: Some(false),
        persistence: Persistence {
            max_inline_chars: Some(400),
            strategy: Some(PersistenceStrategy::RefOnly),
        },
        external_mappings: vec![object(
            json!({"source": "mcp", "tool_name": "send", "jsonrpc_request_id": 7}),
        )],
        supports_resume: true,
        refuse,
        run: Script {
            steps: vec![
                Step::Progress(Progress {
                    percent: Percent::new(12.5),
                    message: Some("connecting".to_owned()),
                }),
                Step::Progress(Progress { percent: None, message: None }),
                Step::Sleep(Millis(0)),
                Step::Partial(json!([1, null])),
                Step::NeedInput { prompt: "Which account?".to_owned() },
                Step::Artifact(Artifact {
                    artifact_id: "draft-1".parse::<ArtifactId>().unwrap(),
                    media_type: "text/plain".to_owned(),
                    uri: Some("mail:1".to_owned()),
                }),
                Step::ContextModifier(json!({"folder": "sent"})),
            ],
            end: End::Return(json!({"sent": true})),
        },
        ..bare("send_mail", End::Hang)
    }
}

#[test]
fn the_same_in_yaml_and_json_is_the_same_scenario() {
    assert_eq!(read(JSON.as_bytes(), Format::Json).unwrap(), read_yaml());
}

#[test]
fn json_is_yaml_as_well() {
    assert_eq!(read(JSON.as_bytes(), Format::Yaml).unwrap(), read_yaml());
}

#[test]
fn tools_are_read_with_all_their_keys() {
    let tools = read_yaml().tools;
    // A pattern cannot be made from outside; it is equal if written equally.
    let refuse = tools[0].refuse.clone();
    assert_eq!(refuse.len(), 1);
    assert_eq!((refuse[0].path.as_str(), refuse[0].matches.as_str()), ("/to", r"@evil\."));
    assert!(refuse[0].matches.matches("me@evil.example") && !refuse[0].matches.matches("me@evil"));
    assert_eq!(refuse[0].class, ErrorClass::SandboxViolation);
    let failure = Failure {
        class: ErrorClass::RateLimited,
        message: "slow down".to_owned(),
        retry_after: Some(RetryAfter::Seconds(Count(30))),
    };
    assert_eq!(
        tools,
        [
            send_mail(refuse),
            Tool {
                provider_pending: Some(PendingProvider::OfNamespace),
                ..bare("a", End::ReturnText(String::new()))
            },
            bare("b", End::ReturnBytes(5_000_000)),
            bare("c", End::ReturnEmpty),
            bare("d", End::Echo),
            bare("e", End::Fail(failure)),
            bare("f", End::Hang),
        ]
    );
}

#[test]
fn the_surface_the_scheduler_and_the_rest_of_the_setting_are_read() {
    let Scenario { clock, mode, surface, policies, approval_timeout, scheduler, searches, .. } =
        read_yaml();
    assert_eq!((clock, mode, approval_timeout), (ClockKind::Real, Mode::Headless, Millis(1000)));
    assert_eq!(policies.as_deref(), Some("forbid (principal, action, resource);\n"));
    let blocked = |tool: &str, reason| Blocked { tool: tool.to_owned(), reason };
    assert_eq!(
        surface,
        Surface {
            budget: Some(3),
            blocked: vec![
                blocked("mail/send_mail", Open::Known(ExclusionReason::PolicyBlocked)),
                blocked("f", Open::read("out_of_order")),
            ],
        }
    );
    assert_eq!(
        scheduler,
        Scheduler {
            max_parallel: NonZeroU32::new(2),
            ordering_policy: Some(OrderingPolicy::AllowUnordered),
            yield_policy: Some(YieldPolicy::AllOrdered),
            interrupt_behavior: Some(InterruptBehavior::Cancel),
            sibling_failure_policy: Some(SiblingFailurePolicy::CancelDependent),
            context_modifier_policy: Some(ContextModifierPolicy::Forbid),
        }
    );
    let search = |query: &str, limit| Search { query: query.to_owned(), limit };
    assert_eq!(searches, [search("mail", NonZeroU32::new(4)), search("select:send_mail", None)]);
}

#[test]
fn hooks_are_read_with_all_their_effects() {
    let hook = |id: &str, event, effects| Hook {
        id: id.parse::<HookId>().unwrap(),
        event,
        tool: None,
        timeout: None,
        on_failure: OnFailure::Closed,
        effects,
    };
    let decide = |decision, reason: Option<&str>| Effect::Decide {
        decision,
        reason: reason.map(str::to_owned),
    };
    let effects = vec![
        Effect::UpdateInput(object(json!({"session": "s1"}))),
        decide(Decision::Ask, Some("unusual")),
        decide(Decision::Allow, None),
        Effect::AddContext("be brief".to_owned()),
        Effect::Message("looked at it".to_owned()),
        Effect::Progress(Progress { percent: Percent::new(1.0), message: None }),
        Effect::Stop("not today".to_owned()),
        Effect::Fail("broken".to_owned()),
        Effect::Sleep(Millis(5)),
    ];
    assert_eq!(
        read_yaml().hooks,
        [
            Hook {
                tool: Some("*".to_owned()),
                timeout: Some(Millis(50)),
                on_failure: OnFailure::Open,
                ..hook("h1", HookEvent::PreToolUse, effects)
            },
            hook("h2", HookEvent::ResultPersistence, vec![]),
            hook("h3", HookEvent::PostToolUse, vec![Effect::UpdateOutput(json!([1]))]),
        ]
    );
}

#[test]
fn the_person_is_read() {
    let answer = |answer| Approval {
        recipient: Recipient::default(),
        answer,
        feedback: None,
        after: Millis(0),
        remember: Remember::Once,
    };
    let Scenario { approvals, inputs, .. } = read_yaml();
    assert_eq!(
        approvals,
        [
            Approval {
                recipient: Recipient { call: Some(id("one")), tool: Some("mail*".to_owned()) },
                feedback: Some("better so".to_owned()),
                after: Millis(10),
                remember: Remember::Session,
                ..answer(Answer::Edit(object(json!({"to": "you"}))))
            },
            answer(Answer::Allow),
            answer(Answer::Deny),
            answer(Answer::Ignore),
        ]
    );
    assert_eq!(
        inputs,
        [
            InputAnswer {
                recipient: Recipient { call: Some(id("one")), tool: Some("*".to_owned()) },
                answer: json!("no"),
                after: Millis(3),
            },
            InputAnswer { recipient: Recipient::default(), answer: json!(null), after: Millis(0) },
        ]
    );
}

#[test]
fn calls_actions_and_expectations_are_read() {
    let Scenario { calls, actions, expectations, .. } = read_yaml();
    let call = |text: &str, tool: &str, input| Call {
        id: id(text),
        tool: tool.to_owned(),
        input,
        batch: NonZeroU32::MIN,
        depends_on: vec![],
        native: None,
        actor: None,
    };
    let second = NonZeroU32::new(2).unwrap();
    assert_eq!(
        calls,
        [
            Call {
                batch: second,
                depends_on: vec![id("two"), id("zero")],
                native: Some(object(json!({"tool_call_id": "t1"}))),
                actor: Some("agent:main".to_owned()),
                ..call("one", "mail", json!({"to": "me"}))
            },
            Call { batch: second, ..call("two", "d", json!([])) },
            call("zero", "nobody knows this one", json!(null)),
        ]
    );
    let action = |at, deed| Action { at: Millis(at), deed };
    assert_eq!(
        actions,
        [
            action(0, Deed::Cancel(Some(id("one")))),
            action(5, Deed::Cancel(None)),
            action(6, Deed::Interrupt(None)),
            action(7, Deed::Interrupt(Some(id("two")))),
            action(8, Deed::Restart),
        ]
    );
    let executed = |counts: &[(&str, u64)]| {
        let counts = counts.iter().map(|(tool, count)| ((*tool).to_owned(), *count));
        Expectation::Executed(counts.collect())
    };
    assert_eq!(
        expectations,
        [
            Expectation::Call(CallExpectation {
                call: id("one"),
                status: Some(TerminalStatus::Denied),
                error_class: Some(ErrorClass::PermissionDenied),
                executed: Some(false),
                result_contains: Some(json!({"text": "no"})),
            }),
            Expectation::Call(CallExpectation {
                call: id("two"),
                status: None,
                error_class: None,
                executed: None,
                result_contains: Some(json!(null)),
            }),
            executed(&[("mail/send_mail", 0), ("d", 1)]),
            executed(&[]),
            Expectation::Delivered(vec![id("zero"), id("two"), id("one")]),
            Expectation::Delivered(vec![]),
        ]
    );
}

#[test]
fn what_is_not_said_has_its_default() {
    assert_eq!(
        read(b"{}", Format::Json).unwrap(),
        Scenario {
            clock: ClockKind::Virtual,
            mode: Mode::Interactive,
            tools: vec![],
            surface: Surface::default(),
            rules: vec![],
            policies: None,
            hooks: vec![],
            approvals: vec![],
            inputs: vec![],
            approval_timeout: Millis(30_000),
            scheduler: Scheduler::default(),
            searches: vec![],
            calls: vec![],
            actions: vec![],
            expectations: vec![],
        }
    );
}

#[test]
fn a_tool_is_found_by_name_before_alias_and_only_if_it_is_the_only_one() {
    let text = "
tools:
  - {name: read, namespace: files, aliases: [cat], run: [{echo: true}]}
  - {name: read, namespace: web, aliases: [get], run: [{echo: true}]}
  - {name: get, run: [{echo: true}]}
";
    let scenario = read(text.as_bytes(), Format::Yaml).unwrap();
    let found = |written| {
        scenario.tool(written).map(|tool| {
            let namespace = tool.namespace.as_ref().map_or("", Namespace::as_str);
            (namespace, tool.name.as_str())
        })
    };
    assert_eq!(found("files/read"), Some(("files", "read")));
    assert_eq!(found("web/read"), Some(("web", "read")));
    assert_eq!(found("read"), None, "ambiguous");
    assert_eq!(found("cat"), Some(("files", "read")));
    assert_eq!(found("get"), Some(("", "get")), "a name comes before an alias");
    assert_eq!(found("nothing"), None);
}
