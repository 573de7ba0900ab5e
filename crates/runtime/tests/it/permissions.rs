//! Profiles and decisions: what allows a call, when a person is asked, and what is recorded.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use assent_ids::{Clock, UnixMillis, deterministic::ManualClock};
use assent_json::Digest;
use assent_policy::{
    Decision, Evaluation, Grant, GrantEffect, GrantSpec, GrantTool, Mode, Policy, PolicyEngine,
    PolicyError, PolicyMatch, Question, RuleSpec,
};
use assent_protocol::agent_tool::{
    AccessKind, Flag, FlagName, HookEvent, MutationRule, ReasonType, RiskLevel, WriteEffect,
};
use assent_runtime::{
    Answer, HookEffects, Remember, RuntimeBuilder, ToolDefinition,
    catalog::{Classification, Classifier, ClassifierError, Classifiers},
};
use serde_json::{Value, json};

use crate::{
    actors::{Person, changeable, edited, hook, hooks, no, says, yes},
    deadlines::time_passes,
    definitions::{definition, tool},
    desk::{Desk, Echo, Yes, class, reader, rules, writer},
    story::{as_value, explanation, invocation, of_kind, path, records},
};

/// Item 75: a profile states everything that the standard requires, also what happens where no person can be
/// asked.
#[test]
fn a_permission_profile_tells_all_that_was_said() {
    let mut given = definition("t", "pay");
    let profile = &mut given.permission;
    profile.risk_level = RiskLevel::Critical;
    profile.access_kinds = Some(vec![AccessKind::Payment.into(), AccessKind::Network.into()]);
    profile.write_effects = Some(vec![WriteEffect::Irreversible.into()]);
    profile.network_scope = Some("bank.example".to_owned());
    profile.tenant_scope = Some("household".to_owned());
    profile.sandbox_profile = Some("strict".to_owned());
    profile.credential_refs = Some(vec!["bank".to_owned()]);
    profile.approval_required = Some(true);
    profile.approval_reason = Some("it is money".to_owned());
    profile.rule_matching_fields = Some(vec!["/amount".to_owned()]);
    profile.redaction_required = Some(true);
    profile.retention_hint = Some("30 days".to_owned());
    let told = serde_json::to_value(tool(given).permission_profile()).unwrap();
    for (field, value) in [
        ("risk_level", json!("critical")),
        ("access_kinds", json!(["payment", "network"])),
        ("write_effects", json!(["irreversible"])),
        ("network_scope", json!("bank.example")),
        ("tenant_scope", json!("household")),
        ("sandbox_profile", json!("strict")),
        ("credential_refs", json!(["bank"])),
        ("approval_required", json!(true)),
        ("non_interactive_prompts", json!("deny")),
        ("rule_matching_fields", json!(["/amount"])),
        ("redaction_required", json!(true)),
        ("retention_hint", json!("30 days")),
    ] {
        assert_eq!(told[field], value, "{field}");
    }
    assert_eq!(RiskLevel::ALL.len(), 4);
}

/// Items 76, 78: no tool is offered whose profile is not on record before.
#[tokio::test(start_paused = true)]
async fn every_offered_tool_has_a_profile_on_record_before() {
    let tools = vec![(reader("read"), says("fine")), (writer("write"), says("fine"))];
    let desk = Desk::new(tools, |builder| builder);
    let mut profiles = Vec::new();
    let mut surfaces = 0;
    for (kind, record) in records(&desk).await {
        match kind.as_str() {
            "tool_permission_profile" => profiles.push(record["permission_profile_id"].clone()),
            "tool_surface" => {
                surfaces += 1;
                for id in record["tool_refs"].as_array().unwrap() {
                    let profile = json!(format!("{}:permission", id.as_str().unwrap()));
                    assert!(profiles.contains(&profile), "{id}");
                }
            }
            _ => {}
        }
    }
    assert_eq!((profiles.len(), surfaces), (2, 1));
}

/// Item 77: what a profile says about itself is no permission.
#[tokio::test(start_paused = true)]
async fn a_harmless_profile_alone_lets_nothing_run() {
    let mut harmless = writer("write");
    harmless.permission.risk_level = RiskLevel::Low;
    harmless.permission.write_effects = Some(vec![WriteEffect::None.into()]);
    harmless.permission.approval_required = Some(false);
    let tool = Arc::new(Echo::default());
    let desk = Desk::new(vec![(harmless, Arc::clone(&tool) as _)], |builder| builder);
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(class(&result).as_deref(), Some("permission_denied"));
    assert_eq!(tool.runs.load(Ordering::SeqCst), 0);
}

/// Items 80, 81: a question reaches a person, and a no ends the call in one result and no execution.
#[tokio::test(start_paused = true)]
async fn a_question_reaches_a_person_and_a_no_is_the_one_end() {
    let tool = Arc::new(Echo::default());
    let person = Person::new(|_| no());
    let desk = Desk::new(vec![(writer("write"), Arc::clone(&tool) as _)], |builder| {
        builder.approver(Arc::clone(&person) as _)
    });
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!((result.status.as_str(), result.is_error), ("rejected", Some(true)));
    assert_eq!((person.questions(), tool.runs.load(Ordering::SeqCst)), (1, 0));
    assert_eq!(of_kind(&desk, "tool_result").await, [as_value(&result)]);
    let decisions = of_kind(&desk, "tool_permission_decision").await;
    let behaviors: Vec<_> = decisions.iter().map(|decision| &decision["behavior"]).collect();
    assert_eq!(behaviors, ["ask", "deny"]);
}

/// Items 82, 88: what a person changes and says stands in the decision, and the change in the input.
#[tokio::test(start_paused = true)]
async fn an_edit_and_its_words_are_part_of_the_decision() {
    let mut definition = writer("write");
    changeable(&mut definition, MutationRule::Allow);
    let person = Person::new(|_| edited(json!({"path": "b"}), Some("not there")));
    let desk = Desk::new(vec![(definition, Arc::new(Echo::default()))], |builder| {
        builder.approver(person)
    });
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(result.structured_content, Some(json!({"path": "b"})));
    let decisions = of_kind(&desk, "tool_permission_decision").await;
    let [asked, allowed] = decisions.as_slice() else { panic!("{decisions:?}") };
    assert_eq!((&asked["behavior"], &allowed["behavior"]), (&json!("ask"), &json!("allow")));
    assert_eq!(allowed["updated_input"], json!({"path": "b"}));
    assert_eq!(allowed["user_modified"], true);
    assert_eq!(allowed["accept_feedback"], "not there");
    assert_eq!(asked.get("user_modified"), None);
    let call = invocation(&desk).await;
    assert_eq!(call["call_input"], json!({"path": "b"}));
    assert_eq!(call["call_input_ref"], allowed["updated_input_ref"]);
    let change = &of_kind(&desk, "tool_input_mutation").await[0];
    assert_eq!(change["source_type"], "permission_prompt");
}

/// Item 83: no opinion is no permission: it is handed on, to a person if there is one.
#[tokio::test(start_paused = true)]
async fn a_source_without_an_opinion_passes_the_question_on() {
    for (mode, questions, status) in
        [(Mode::Interactive, 1, "succeeded"), (Mode::Headless, 0, "denied")]
    {
        let person = Person::new(|_| yes());
        let silent = HookEvent::ALL
            .iter()
            .map(|event| hook("silent", *event, |_| Ok(HookEffects::default())));
        let silent = hooks(silent);
        let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
            builder.hooks(silent).mode(mode).approver(Arc::clone(&person) as _)
        });
        let result = desk.call("write", json!({"path": "a"})).await;
        assert_eq!((result.status.as_str(), person.questions()), (status, questions));
    }
    let nothing: RuleSpec =
        serde_json::from_value(json!({"id": "r", "behavior": "passthrough"})).unwrap();
    assert!(Policy::load([nothing]).is_err(), "it says nothing");
}

/// A policy engine that always gives the same answer.
#[derive(Debug)]
struct Engine {
    evaluation: Evaluation,
    _text: &'static str,
}

impl PolicyEngine for Engine {
    fn evaluate(&self, _: &Question<'_>) -> Evaluation {
        self.evaluation.clone()
    }

    fn digest(&self) -> Digest {
        Digest::of(b"policies")
    }
}

/// An engine with one policy that denies every call.
fn denies(policy: &str) -> Arc<Policy> {
    let matched = PolicyMatch {
        policy: policy.parse().unwrap(),
        decision: Decision::Deny,
        source: None,
        bypass_immune: false,
    };
    let evaluation = Evaluation { matched: vec![matched], errors: Vec::new() };
    let engine = Engine { evaluation, _text: "secret-of-the-policy" };
    Arc::new(Policy::default().with_engine(Arc::new(engine)))
}

/// An engine with one policy that cannot be evaluated.
fn fails(policy: &str) -> Arc<Policy> {
    let errors = vec![PolicyError::Policy(policy.parse().unwrap())];
    let evaluation = Evaluation { matched: Vec::new(), errors };
    Arc::new(Policy::default().with_engine(Arc::new(Engine { evaluation, _text: "" })))
}

/// What decided about a call, under some rules, hooks and modes.
async fn decisive(change: impl FnOnce(RuntimeBuilder) -> RuntimeBuilder) -> Value {
    let desk = Desk::new(vec![(writer("write"), says("fine"))], change);
    desk.call("write", json!({"path": "a"})).await;
    of_kind(&desk, "tool_permission_decision").await.pop().unwrap()["reason"].clone()
}

/// Item 84: every reason has one of the twelve types.
#[tokio::test(start_paused = true)]
async fn each_decision_says_what_kind_of_thing_decided() {
    assert_eq!(ReasonType::ALL.len(), 12);
    let deny = || rules(json!([{"id": "no", "behavior": "deny"}]));
    let forbid = denies("never");
    let opinion = hook("opinion", HookEvent::PreToolUse, |_| {
        Ok(HookEffects { decide: Some((Decision::Deny, None)), ..HookEffects::default() })
    });
    assert_eq!(decisive(|b| b.policy(deny())).await["type"], "rule");
    assert_eq!(decisive(|b| b.policy(forbid)).await["type"], "policy");
    assert_eq!(decisive(|b| b.hooks(hooks([opinion]))).await["type"], "hook");
    assert_eq!(decisive(|b| b.mode(Mode::Headless)).await["type"], "mode");
    assert_eq!(decisive(|b| b.mode(Mode::Plan)).await["type"], "mode");
    let asked = decisive(|b| b.approver(Person::new(|_| yes()))).await;
    assert_eq!(asked["type"], "permission_prompt_tool");
    let desk = Desk::new(vec![(reader("read"), says("fine"))], |builder| builder);
    desk.call("read", json!({"path": "a"})).await;
    let decision = of_kind(&desk, "tool_permission_decision").await.remove(0);
    assert_eq!(decision["reason"]["type"], "safety_check");
}

/// Item 85: every rule that matched is recorded with its source.
#[tokio::test(start_paused = true)]
async fn each_rule_keeps_its_origin() {
    let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
        builder.policy(rules(json!([
            {"id": "mine", "behavior": "allow", "source": "user_settings"},
            {"id": "ours", "behavior": "allow", "source": "project_settings"},
            {"id": "other", "behavior": "allow", "source": "session", "tool": "read"},
            {"id": "boss", "behavior": "deny", "source": "policy_settings"}
        ])))
    });
    desk.call("write", json!({"path": "a"})).await;
    let decision = of_kind(&desk, "tool_permission_decision").await.remove(0);
    assert_eq!(decision["source"], "policy_settings");
    assert_eq!(
        decision["rules"],
        json!([
            {"rule_ref": "boss", "source": "policy_settings"},
            {"rule_ref": "ours", "source": "project_settings"},
            {"rule_ref": "mine", "source": "user_settings"}
        ])
    );
}

/// Item 86: a suggestion changes nothing until it is applied.
#[tokio::test(start_paused = true)]
async fn suggestions_have_no_effect_of_their_own() {
    let person = Person::new(|_| yes());
    let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
        builder.approver(Arc::clone(&person) as _)
    });
    for questions in 1..=2 {
        desk.call("write", json!({"path": "a"})).await;
        assert_eq!(person.questions(), questions);
    }
    let decision = of_kind(&desk, "tool_permission_decision").await.remove(0);
    let suggested = decision["suggested_updates"].as_array().unwrap();
    assert!(!suggested.is_empty());

    let rule: RuleSpec = serde_json::from_value(suggested[0]["rules"][0].clone()).unwrap();
    desk.runtime.set_policy(Arc::new(Policy::load([rule]).unwrap()));
    desk.call("write", json!({"path": "a"})).await;
    assert_eq!(person.questions(), 2, "applied, it spares the question");
}

struct Oracle;

impl Classifier for Oracle {
    fn classify(&self, _: FlagName, evidence: &Value) -> Result<Classification, ClassifierError> {
        let answer = evidence == "ls";
        Ok(Classification { answer, confidence: Some(90), reason: Some("by its name".to_owned()) })
    }
}

fn shell() -> ToolDefinition {
    let mut shell = writer("sh");
    shell.interface.classifier_input = Some(json!("input.path"));
    shell.interface.is_read_only = Some(Flag::Text("classifier:shell".to_owned()));
    shell
}

/// Item 87: what a classifier said is in the decision, with how sure it was, why, and that it decides
/// nothing by itself.
#[tokio::test(start_paused = true)]
async fn a_decision_names_the_classifiers_that_took_part() {
    for (command, status) in [("ls", "succeeded"), ("rm", "denied")] {
        let desk = Desk::new(vec![(shell(), says("fine"))], |builder| {
            builder.classifiers(Classifiers::none().with("shell", Arc::new(Oracle)))
        });
        let result = desk.call("sh", json!({"path": command})).await;
        assert_eq!(result.status.as_str(), status);
        let decision = of_kind(&desk, "tool_permission_decision").await.remove(0);
        assert_eq!(
            decision["classifiers"],
            json!([{
                "classifier": "shell", "fact": "is_read_only", "answer": command == "ls",
                "confidence": 90, "reason": "by its name", "authority": "recommend"
            }])
        );
        assert_eq!(decision.get("pending_classifier_check"), None, "it was waited for");
    }
}

/// Item 89: an allow says when it ends, and is not used after that.
#[tokio::test(start_paused = true)]
async fn an_expired_permission_is_not_used_again() {
    let clock = Arc::new(ManualClock::starting_at(UnixMillis::new(1_700_000_000_000)));
    let person = Person::new(|_| Answer::Unavailable);
    let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
        builder.clock(Arc::clone(&clock) as _).approver(Arc::clone(&person) as _)
    });
    let mut spec = GrantSpec::new(
        "hour".parse().unwrap(),
        GrantEffect::Allow,
        GrantTool::Id("files:write".to_owned()),
    );
    spec.not_after = Some(clock.now().after(Duration::from_secs(3600)));
    desk.runtime.grant(Grant::load(spec).unwrap());
    assert_eq!(desk.call("write", json!({"path": "a"})).await.status.as_str(), "succeeded");
    clock.advance(Duration::from_secs(3600));
    assert_eq!(desk.call("write", json!({"path": "a"})).await.status.as_str(), "denied");
    assert_eq!(person.questions(), 1, "the second one was a question again");
    let decisions = of_kind(&desk, "tool_permission_decision").await;
    assert_eq!(decisions[0]["expires_at"], "2023-11-14T23:13:20.000Z");
}

/// Item 89: the yes of a person lasts ten minutes, also if the call has to wait.
#[tokio::test(start_paused = true)]
async fn a_persons_yes_has_an_end() {
    let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
        builder.approver(Person::new(|_| yes())).approval_timeout(Duration::from_secs(30))
    });
    desk.call("write", json!({"path": "a"})).await;
    let allowed = of_kind(&desk, "tool_permission_decision").await.remove(1);
    assert_eq!(allowed["expires_at"], "2023-11-14T22:23:20.000Z");
}

/// Item 160: a question without an answer, and an approval that expired, say nothing about the
/// call itself: the same call may be made again, and the person is asked again.
#[tokio::test(start_paused = true)]
async fn a_question_without_an_answer_can_be_asked_again() {
    let again = json!({"safe": true, "arguments_must_change": false, "discover_first": false,
        "approval_again": true, "sibling_caused": false});
    let unanswered = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
        builder.approver(Yes::new(None)).approval_timeout(Duration::from_secs(30))
    });
    let result = as_value(&unanswered.call("write", json!({"path": "a"})).await);
    assert_eq!(result["status"], "timed_out");
    let error = &result["error"];
    assert_eq!(error["error_class"], "timeout");
    assert_eq!(error["error_code"], "approval_timed_out");
    assert_eq!(error["recoverability"], "needs_approval");
    assert_eq!(error["retry"], again);
    assert_eq!(error.get("side_effects_unknown"), None);
    let told = result["model_facing_content"][0]["text"].as_str().unwrap();
    assert!(told.contains("they are asked again"), "{told}");

    // Allowed in time, but its turn comes when the yes has expired.
    let clock = Arc::new(ManualClock::starting_at(UnixMillis::new(1_700_000_000_000)));
    let passing = time_passes(&clock, Duration::from_millis(600_001));
    let expired = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
        builder.clock(clock).approver(Yes::allow()).hooks(passing)
    });
    let result = as_value(&expired.call("write", json!({"path": "a"})).await);
    let error = &result["error"];
    assert_eq!(result["status"], "denied", "{result:#}");
    assert_eq!(error["error_code"], "expired");
    assert_eq!(error["recoverability"], "needs_approval");
    assert_eq!(error["retry"], again);
    let told = result["model_facing_content"][0]["text"].as_str().unwrap();
    assert!(told.contains("the person is asked again"), "{told}");
}

/// Items 91, 176: allowed, denied, asked and unanswered: each can be explained from the journal alone.
#[tokio::test(start_paused = true)]
async fn every_outcome_can_be_explained_afterwards() {
    let remembered = Answer::Allow { edit: None, feedback: None, remember: Remember::Session };
    let refused = Answer::Deny { feedback: Some("not now".to_owned()), remember: Remember::Once };
    for (answer, words) in [
        (Some(remembered.clone()), "allow by permission_prompt_tool"),
        (Some(refused), "deny by permission_prompt_tool"),
        (Some(Answer::Unavailable), "deny by mode"),
        (None, "ask by safety_check"),
    ] {
        let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
            builder.approver(Yes::new(answer))
        });
        let result = desk.call("write", json!({"path": "a"})).await;
        let told = explanation(&desk, result.invocation_id.strict().unwrap()).await;
        assert!(told.contains(words), "{words}\n{told}");
    }
    // Waived in advance: the grant is named.
    let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| builder);
    let tool = GrantTool::Id("files:write".to_owned());
    let spec = GrantSpec::new("waiver-7".parse().unwrap(), GrantEffect::Allow, tool);
    desk.runtime.grant(Grant::load(spec).unwrap());
    let result = desk.call("write", json!({"path": "a"})).await;
    let told = explanation(&desk, result.invocation_id.strict().unwrap()).await;
    assert!(told.contains("waiver-7"), "{told}");
    let cases = [
        (json!([{"id": "fine", "behavior": "allow", "source": "session"}]), "allow by rule fine"),
        (
            json!([{"id": "no", "behavior": "deny", "source": "cli_arg"}]),
            "deny by rule no from cli_arg",
        ),
        (json!([{"id": "ask", "behavior": "ask"}]), "ask by rule ask"),
        (json!([]), "ask by safety_check"),
    ];
    for (policy, words) in cases {
        let answer = remembered.clone();
        let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
            builder.policy(rules(policy)).approver(Person::new(move |_| answer.clone()))
        });
        let result = desk.call("write", json!({"path": "a"})).await;
        let told = explanation(&desk, result.invocation_id.strict().unwrap()).await;
        assert!(told.contains(words), "{words}\n{told}");
    }
}

/// Item 92: a policy that could not be evaluated is named wherever its decision is recorded.
#[tokio::test(start_paused = true)]
async fn a_policy_that_could_not_be_evaluated_is_named() {
    let person = Person::new(|_| no());
    let asked = Arc::clone(&person);
    let desk = Desk::new(vec![(reader("write"), says("fine"))], |builder| {
        builder.policy(fails("late")).approver(asked)
    });
    let result = desk.call("write", json!({"path": "a"})).await;
    let why = "asks: policy `late` could not be evaluated, and what cannot be judged is not allowed unasked";
    let decision = of_kind(&desk, "tool_permission_decision").await.remove(0);
    assert_eq!(decision["reason"]["message"], why);
    assert_eq!(decision["reason"]["type"], "policy");
    assert_eq!(decision["policy_refs"], json!(["late"]));
    assert_eq!(person.asked.lock().unwrap()[0].reasons, [why]);
    let told = explanation(&desk, result.invocation_id.strict().unwrap()).await;
    assert!(told.contains("late"), "{told}");

    let alone = Desk::new(vec![(reader("write"), says("fine"))], |builder| {
        builder.policy(fails("late")).mode(Mode::Headless)
    });
    let result = as_value(&alone.call("write", json!({"path": "a"})).await);
    assert_eq!(
        result["error"]["message"],
        "denies: no person can be asked, and policy `late` could not be evaluated"
    );
    assert_eq!(result["policy_refs"], json!(["late"]));
}

/// Item 92: records hold the names of policies and what came of them, never the policies.
#[tokio::test(start_paused = true)]
async fn records_refer_to_policies_and_do_not_hold_them() {
    let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
        builder.policy(denies("quiet-hours"))
    });
    let result = as_value(&desk.call("write", json!({"path": "a"})).await);
    assert_eq!(result["policy_refs"], json!(["quiet-hours"]));
    assert_eq!(result["error"]["policy_refs"], json!(["quiet-hours"]));
    let decision = of_kind(&desk, "tool_permission_decision").await.remove(0);
    assert_eq!(decision["policy_refs"], json!(["quiet-hours"]));
    assert_eq!(invocation(&desk).await["policy_refs"], json!(["quiet-hours"]));
    let all = format!("{:?}", records(&desk).await);
    assert!(!all.contains("secret-of-the-policy"));
}

/// Items 103, 104: a call that was refused is as visible as one that ran.
#[tokio::test(start_paused = true)]
async fn a_refused_call_has_its_record() {
    let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| builder);
    desk.call("write", json!({"path": "a"})).await;
    let call = invocation(&desk).await;
    assert_eq!(call["status"], "denied");
    assert_eq!(
        path(&call),
        ["planned", "selected", "arguments_ready", "awaiting_approval", "denied"]
    );
    assert_eq!(call["executed"], false);
    assert_eq!(call["permission_decision_refs"].as_array().unwrap().len(), 2);
    assert!(call["result_ref"].is_string());
}
