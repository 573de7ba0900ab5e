//! Whether a tool is safe, for which input.

use std::sync::Arc;

use assent_json::Json;
use assent_protocol::agent_tool::{
    ExecutionKind, Flag, FlagName, LockMode, ResourceLock, ToolInterface, ToolKind,
};
use assent_runtime::{
    ToolDefinition,
    catalog::{Classification, Classifier, ClassifierError, Classifiers, SafetyFacts},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::definitions::{definition, tool, with};

/// Gives fixed answers about commands.
struct Oracle(fn(FlagName, &Value) -> Result<Classification, ClassifierError>);

impl Classifier for Oracle {
    fn classify(
        &self,
        fact: FlagName,
        evidence: &Value,
    ) -> Result<Classification, ClassifierError> {
        (self.0)(fact, evidence)
    }
}

fn says(answer: bool) -> Result<Classification, ClassifierError> {
    Ok(Classification { answer, confidence: Some(90), reason: Some("by its name".to_owned()) })
}

fn classifiers() -> Classifiers {
    let shell = Oracle(|_, evidence| says(evidence == "ls"));
    let undecided = Oracle(|_, _| Err(ClassifierError::Undecided("too long".to_owned())));
    let broken = Oracle(|_, _| panic!("on purpose"));
    let yes = Oracle(|_, _| says(true));
    let no = Oracle(|_, _| says(false));
    Classifiers::none()
        .with("shell", Arc::new(shell))
        .with("undecided", Arc::new(undecided))
        .with("broken", Arc::new(broken))
        .with("yes", Arc::new(yes))
        .with("no", Arc::new(no))
}

fn judge(definition: ToolDefinition, input: &str) -> SafetyFacts {
    tool(definition).safety.judge(&Json::read(input).unwrap(), &classifiers())
}

fn facts(change: impl FnOnce(&mut ToolInterface)) -> SafetyFacts {
    let changed = with("t", "act", |tool| {
        tool.interface.classifier_input = Some(json!("input.command"));
        change(&mut tool.interface);
    });
    judge(changed, r#"{"command": "ls"}"#)
}

fn text(text: &str) -> Option<Flag> {
    Some(Flag::Text(text.to_owned()))
}

fn yes() -> Option<Flag> {
    Some(true.into())
}

/// Items 17-21: silence is the careful value.
#[test]
fn a_tool_that_says_nothing_is_treated_with_care() {
    let expected = SafetyFacts {
        enabled: true,
        read_only: false,
        concurrency_safe: false,
        destructive: true,
        open_world: true,
        notes: Vec::new(),
    };
    assert_eq!(facts(|_| {}), expected);
}

/// Item 18.
#[test]
fn only_a_statement_makes_a_tool_concurrency_safe() {
    assert!(!facts(|tool| tool.is_read_only = yes()).concurrency_safe);
    let stated = facts(|tool| {
        tool.is_read_only = yes();
        tool.is_concurrency_safe = yes();
    });
    assert!(stated.concurrency_safe);
}

/// Item 120: of a tool that writes, the statement alone is not enough.
#[test]
fn a_tool_that_writes_shows_what_keeps_it_apart_from_others() {
    let claiming = |change: fn(&mut ToolDefinition)| {
        let changed = with("t", "act", |tool| {
            tool.interface.classifier_input = Some(json!("input.command"));
            tool.interface.is_concurrency_safe = yes();
            change(tool);
        });
        judge(changed, r#"{"command": "ls"}"#).concurrency_safe
    };
    assert!(!claiming(|_| {}));
    assert!(claiming(|tool| tool.locks = vec![ResourceLock::new("page", LockMode::Exclusive)]));
    assert!(claiming(|tool| tool.trusted = true));
    assert!(claiming(|tool| tool.interface.is_concurrency_safe = text("classifier:yes")));
    assert!(!claiming(|tool| tool.interface.is_concurrency_safe = text("classifier:no")));
}

/// Item 19.
#[test]
fn only_a_statement_makes_a_tool_read_only() {
    assert!(!facts(|tool| tool.is_destructive = Some(false.into())).read_only);
    assert!(facts(|tool| tool.is_read_only = yes()).read_only);
}

/// Item 20, E12: a tool counts as destructive unless it is denied or it changes nothing.
#[test]
fn an_unknown_destructiveness_counts_as_destructive() {
    assert!(facts(|_| {}).destructive);
    assert!(!facts(|tool| tool.is_destructive = Some(false.into())).destructive);
    assert!(!facts(|tool| tool.is_read_only = yes()).destructive);
}

/// Items 21, 26: network, browser and shell reach out unless the host's own tool says where.
#[test]
fn an_unknown_reach_is_open_unless_a_trusted_tool_is_scoped() {
    let reach = |kind: ToolKind, trusted: bool, scope: Option<&str>| {
        judge(
            with("t", "act", |tool| {
                tool.declaration.tool_kind = kind.into();
                tool.trusted = trusted;
                tool.permission.network_scope = scope.map(str::to_owned);
            }),
            "{}",
        )
        .open_world
    };
    for kind in [ToolKind::BrowserAction, ToolKind::ShellCommand, ToolKind::WebSearch] {
        assert!(reach(kind, false, Some("api.example.com")));
        assert!(reach(kind, true, None) && reach(kind, true, Some("*")));
        assert!(!reach(kind, true, Some("api.example.com")));
    }
    assert!(reach(ToolKind::FileOperation, false, None));
    assert!(!reach(ToolKind::FileOperation, true, None));
    let shell = with("t", "act", |tool| {
        tool.trusted = true;
        tool.execution.execution_kind = ExecutionKind::Shell.into();
    });
    assert!(judge(shell, "{}").open_world);
}

fn annotated(hints: Value, trusted: bool) -> ToolDefinition {
    with("t", "act", |tool| {
        tool.trusted = trusted;
        tool.declaration.annotations = Some(serde_json::from_value(hints).unwrap());
    })
}

/// Items 11, 26, E14: only hints of the host's own tools make anything more permissive.
#[test]
fn annotations_lower_the_risk_only_if_the_producer_is_trusted() {
    let harmless = json!({"readOnlyHint": true, "destructiveHint": false, "openWorldHint": false});
    assert_eq!(
        judge(annotated(harmless.clone(), false), "{}"),
        judge(definition("t", "act"), "{}")
    );
    let trusted = judge(annotated(harmless, true), "{}");
    assert!(trusted.read_only && !trusted.destructive && !trusted.open_world);
}

/// Item 11, E14: every hint may raise it.
#[test]
fn annotations_of_untrusted_producers_raise_the_risk() {
    let harmful = json!({"readOnlyHint": false, "destructiveHint": true, "openWorldHint": true});
    let mut tool = annotated(harmful, false);
    tool.interface.is_read_only = yes();
    tool.interface.is_destructive = Some(false.into());
    tool.interface.is_open_world = Some(false.into());
    let judged = judge(tool, "{}");
    assert!(!judged.read_only && judged.destructive && judged.open_world);
}

/// Items 87, 119, E13: a classifier gets the part that the tool names.
#[test]
fn a_classifier_judges_each_input_and_is_recorded() {
    let shell = with("t", "sh", |tool| {
        tool.interface.classifier_input = Some(json!("input.command"));
        tool.interface.is_read_only = text("classifier:shell");
        tool.interface.is_concurrency_safe = text("same_as:is_read_only");
    });
    let listing = judge(shell.clone(), r#"{"command": "ls"}"#);
    assert!(listing.read_only && listing.concurrency_safe && !listing.destructive);
    assert_eq!(listing.notes.len(), 1, "asked once for both facts");
    assert_eq!(listing.notes[0].fact, "is_read_only");
    assert_eq!((listing.notes[0].answer, listing.notes[0].confidence), (Some(true), Some(90)));
    let removal = judge(shell, r#"{"command": "rm"}"#);
    assert!(!removal.read_only && !removal.concurrency_safe && removal.destructive);
}

/// E13: whatever keeps a classifier from answering, the careful value is taken and recorded.
#[test]
fn a_classifier_that_cannot_answer_leaves_the_careful_value() {
    for (id, why) in [
        ("undecided", "it cannot determine the fact: too long"),
        ("broken", "it failed: it panicked"),
        ("missing", "there is no such classifier"),
    ] {
        let judged = facts(|tool| {
            tool.is_read_only = text(&format!("classifier:{id}"));
            tool.is_destructive = text("same_as:is_read_only");
        });
        assert!(!judged.read_only && judged.destructive, "{id}");
        assert_eq!(judged.notes.len(), 1);
        assert_eq!((judged.notes[0].answer, judged.notes[0].reason.as_deref()), (None, Some(why)));
    }
}

/// E13: a path that leads nowhere.
#[test]
fn an_input_without_the_part_to_look_at_gets_the_careful_value() {
    let judged = facts(|tool| {
        tool.classifier_input = Some(json!("/argv/0"));
        tool.is_read_only = text("classifier:yes");
    });
    assert!(!judged.read_only);
    assert_eq!(
        judged.notes[0].reason.as_deref(),
        Some("the input does not have the part that it looks at")
    );
}

/// E13: facts that refer to each other say nothing; so does a reference to a fact that is not stated.
#[test]
fn references_in_a_circle_or_to_nothing_get_the_careful_value_of_their_own_fact() {
    let circle = facts(|tool| {
        tool.is_read_only = text("same_as:is_concurrency_safe");
        tool.is_concurrency_safe = text("same_as:is_read_only");
    });
    assert!(!circle.read_only && !circle.concurrency_safe);
    let nothing = facts(|tool| tool.is_destructive = text("same_as:is_read_only"));
    assert!(nothing.destructive);
    let itself = facts(|tool| tool.is_open_world = text("same_as:is_open_world"));
    assert!(itself.open_world);
}

#[test]
fn of_two_statements_that_contradict_each_other_the_careful_one_counts() {
    let judged = facts(|tool| {
        tool.is_read_only = yes();
        tool.is_destructive = yes();
    });
    assert!(!judged.read_only && judged.destructive);
}

#[test]
fn a_tool_with_an_unknown_availability_is_not_enabled() {
    assert!(!facts(|tool| tool.is_enabled = Some(false.into())).enabled);
    assert!(!facts(|tool| tool.is_enabled = text("on Sundays")).enabled);
    assert!(!facts(|tool| tool.is_enabled = text("classifier:broken")).enabled);
    assert!(facts(|tool| tool.is_enabled = text("classifier:yes")).enabled);
}

fn flag() -> impl Strategy<Value = Option<Flag>> {
    let words = [
        "classifier:yes",
        "classifier:no",
        "classifier:broken",
        "classifier:missing",
        "nonsense",
        "same_as:is_enabled",
        "same_as:is_read_only",
        "same_as:is_concurrency_safe",
        "same_as:is_destructive",
        "same_as:is_open_world",
    ];
    prop_oneof![
        Just(None),
        any::<bool>().prop_map(|stated| Some(Flag::Stated(stated))),
        prop::sample::select(words.to_vec()).prop_map(|word| Some(Flag::Text(word.to_owned()))),
    ]
}

/// A fact as an independent, slow model determines it.
fn said(interface: &ToolInterface, fact: FlagName, depth: usize) -> Option<bool> {
    let flag = match fact {
        FlagName::IsEnabled => &interface.is_enabled,
        FlagName::IsReadOnly => &interface.is_read_only,
        FlagName::IsConcurrencySafe => &interface.is_concurrency_safe,
        FlagName::IsDestructive => &interface.is_destructive,
        FlagName::IsOpenWorld => &interface.is_open_world,
    };
    match flag.as_ref()? {
        Flag::Stated(value) => Some(*value),
        Flag::Text(text) if text == "classifier:yes" => Some(true),
        Flag::Text(text) if text == "classifier:no" => Some(false),
        Flag::Text(text) => {
            let other = text.strip_prefix("same_as:")?.parse().ok()?;
            if depth > 5 { None } else { said(interface, other, depth + 1) }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Whatever is said, and whatever hints there are: nothing permissive comes out that was not said.
    #[test]
    fn a_judgement_is_never_more_permissive_than_what_was_said(
        flags in prop::array::uniform5(flag()),
        hints in prop::array::uniform3(prop::option::of(any::<bool>())),
    ) {
        let [enabled, read_only, concurrency_safe, destructive, open_world] = flags;
        let names = ["readOnlyHint", "destructiveHint", "openWorldHint"];
        let hints: serde_json::Map<_, _> = names
            .into_iter()
            .zip(hints)
            .filter_map(|(name, hint)| Some((name.to_owned(), Value::from(hint?))))
            .collect();
        let mut tool = annotated(Value::Object(hints), false);
        let interface = &mut tool.interface;
        interface.classifier_input = Some(json!("input"));
        interface.is_enabled = enabled;
        interface.is_read_only = read_only;
        interface.is_concurrency_safe = concurrency_safe;
        interface.is_destructive = destructive;
        interface.is_open_world = open_world;
        let said = |fact| said(&tool.interface, fact, 0);
        let facts = judge(tool.clone(), "{}");

        prop_assert!(!facts.read_only || said(FlagName::IsReadOnly) == Some(true));
        prop_assert!(!facts.concurrency_safe || said(FlagName::IsConcurrencySafe) == Some(true));
        prop_assert!(facts.open_world || said(FlagName::IsOpenWorld) == Some(false));
        prop_assert!(facts.destructive || said(FlagName::IsDestructive) == Some(false) || facts.read_only);
        prop_assert!(!(facts.destructive && facts.read_only));
        prop_assert!(!facts.enabled || tool.interface.is_enabled.is_none() || said(FlagName::IsEnabled) == Some(true));
        for note in &facts.notes {
            prop_assert!(note.answer.is_some() || note.reason.is_some());
        }

        let mut bare = tool.clone();
        bare.declaration.annotations = None;
        let bare = judge(bare, "{}");
        prop_assert!(!facts.read_only || bare.read_only);
        prop_assert!(facts.destructive || !bare.destructive);
        prop_assert!(facts.open_world || !bare.open_world);
    }
}
