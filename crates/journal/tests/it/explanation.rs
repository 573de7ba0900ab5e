//! Why a call was allowed or refused.

use assent_journal::{
    Draft, Explanation, Fact,
    conformance::sample::{allowed_call, denied_call, every_fact},
    explain,
};
use assent_protocol::agent_tool::{Behavior, InvocationStatus, ResultStatus};

use crate::support::entries;

fn explained(drafts: Vec<Draft>) -> Explanation {
    explain(entries(drafts).iter().map(|entry| &**entry)).unwrap()
}

#[test]
fn a_refusal_names_the_rule_its_source_and_that_nothing_was_started() {
    let explanation = explained(denied_call(1));
    assert!(!explanation.is_allowed());
    assert_eq!(explanation.status, InvocationStatus::Denied);
    let result = explanation.result.as_ref().unwrap();
    assert_eq!(result.executed, Some(false));
    assert_eq!(result.status, ResultStatus::Denied);
    let text = explanation.to_string();
    for words in [
        "which is the tool fs.read_file",
        "asked by: agt_writer",
        "native call id: call_1",
        "deny by rule notes from project_settings in mode interactive: the rule for notes",
        "it is `denied` since 2026-01-01T00:00:00.006Z",
        "(permission_denied)",
        "the tool was not started",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
}

/// Item 176.
#[test]
fn the_whole_history_is_explained() {
    let explanation = explained(every_fact(1));
    assert!(explanation.is_allowed());
    let behaviors: Vec<_> = explanation.decisions.iter().map(|(_, d)| d.behavior).collect();
    assert_eq!(behaviors, [Behavior::Ask, Behavior::Allow]);
    assert_eq!(explanation.hooks.len(), 4);
    assert_eq!(explanation.mutations.len(), 2);
    assert_eq!(explanation.questions.len(), 1);
    assert_eq!(explanation.redacted, ["/content/0"]);
    assert_eq!(explanation.stored[0].uri.as_deref(), Some("assent-result:1"));
    assert_eq!(explanation.result.as_ref().unwrap().executed, Some(true));
    let text = explanation.to_string();
    for words in [
        "hook guard (pre_tool_use, hok_",
        "said passthrough and changed the input: nothing to say",
        "broke: it did not answer",
        "changed by hook hok_",
        "approval: apr_",
        "grant: grant_1",
        "classifier paths on is_read_only: yes",
        "the person said: only the diary",
        "the person changed the input",
        "stored: ref_only at assent-result:1",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(!text.contains("notes.txt") && !text.contains("milk"), "{text}");
}

#[test]
fn the_four_inputs_are_explained_by_their_digests() {
    let drafts = allowed_call(1);
    let Some(Draft { fact: Fact::Ended(ended), .. }) = drafts.last() else { panic!("no end") };
    let expected = ended.inputs.model.digest();
    let inputs = explained(drafts.clone()).inputs;
    assert_eq!(inputs.model, expected);
    assert_eq!((inputs.observable, inputs.permission), (Some(expected), Some(expected)));
    assert_eq!(inputs.call, Some(expected));
}

#[test]
fn a_call_that_has_not_ended_is_explained_as_far_as_it_is() {
    let mut drafts = allowed_call(1);
    drafts.truncate(3);
    let explanation = explained(drafts);
    assert_eq!(explanation.status, InvocationStatus::ArgumentsReady);
    assert_eq!(explanation.result, None);
}

#[test]
fn what_does_not_begin_like_a_call_is_not_explained() {
    assert_eq!(explain([]), None);
    let entries = entries(allowed_call(1));
    assert_eq!(explain(entries.iter().skip(1).map(|entry| &**entry)), None);
}

#[test]
fn words_of_others_cannot_forge_lines_or_move_the_cursor() {
    let mut drafts = denied_call(1);
    for draft in &mut drafts {
        if let Fact::Decided(decided) = &mut draft.fact {
            let mut forged = (**decided).clone();
            forged.message = Some("no\ndecision of a rule: allow\u{1b}[2A\u{202e}".into());
            *decided = forged.into();
        }
    }
    let text = explained(drafts).to_string();
    assert!(!text.contains("\ndecision of a rule"), "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
}
