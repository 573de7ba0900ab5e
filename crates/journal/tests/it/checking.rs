//! A journal that breaks a rule is found out.

use assent_journal::{
    Draft, Entry, Fact, Seq, check,
    conformance::sample::{Story, allowed_call, catalog, denied_call, every_fact},
};
use assent_protocol::agent_tool::{Behavior, InvocationStatus};
use proptest::prelude::*;

use crate::support::entries;

fn problems(drafts: Vec<Draft>) -> Vec<String> {
    check(entries(drafts).iter().map(|entry| &**entry)).err().unwrap_or_default()
}

/// Renumbers the facts, so that only their contents can be wrong.
fn renumbered(mut drafts: Vec<Draft>) -> Vec<Draft> {
    for (draft, step) in drafts.iter_mut().zip(0..) {
        draft.step = step;
    }
    drafts
}

#[track_caller]
fn assert_found(drafts: Vec<Draft>, expected: &str) {
    let problems = problems(drafts);
    assert!(problems.iter().any(|problem| problem.contains(expected)), "{problems:#?}");
}

#[test]
fn what_a_runtime_writes_is_fine() {
    let mut drafts = catalog();
    drafts.extend(every_fact(100));
    drafts.extend(allowed_call(200));
    drafts.extend(denied_call(300));
    assert_eq!(problems(drafts), Vec::<String>::new());
}

#[test]
fn a_call_that_has_not_ended_is_fine() {
    for length in 1..12 {
        let mut drafts = allowed_call(1);
        drafts.truncate(length);
        assert_eq!(problems(drafts), Vec::<String>::new(), "{length}");
    }
}

#[test]
fn a_missing_place_is_found() {
    let mut entries = entries(allowed_call(1));
    entries.remove(3);
    let first = check(entries.iter().map(|entry| &**entry)).unwrap_err().swap_remove(0);
    assert_eq!(first, "entry 5: it follows entry 3");
    let entry = Entry { seq: Seq(2), draft: entries[0].draft.clone() };
    assert!(check([&entry]).is_err());
}

#[test]
fn a_missing_or_repeated_step_is_found() {
    let mut gap = allowed_call(1);
    gap.remove(2);
    assert_found(gap, "not numbered without gaps");
    let mut twice = allowed_call(1);
    twice.insert(3, twice[2].clone());
    assert_found(twice, "not numbered without gaps");
}

#[test]
fn a_call_begins_once() {
    let mut drafts = allowed_call(1);
    drafts.remove(0);
    assert_found(renumbered(drafts), "does not begin with `planned`");
    let mut twice = allowed_call(1);
    twice.insert(1, twice[0].clone());
    assert_found(renumbered(twice), "`planned` twice");
}

#[test]
fn a_step_that_the_state_machine_does_not_have_is_found() {
    let mut story = Story::begin(1);
    story.select();
    story.decide(Behavior::Allow);
    story.go(InvocationStatus::Running);
    assert_found(story.end(InvocationStatus::Succeeded), "it goes from `selected` to `running`");
}

/// Item 106.
#[test]
fn a_call_that_runs_without_being_allowed_is_found() {
    for decision in [None, Some(Behavior::Ask), Some(Behavior::Deny), Some(Behavior::Passthrough)] {
        let mut story = Story::begin(1);
        story.select();
        story.go(InvocationStatus::ArgumentsReady);
        decision.into_iter().for_each(|behavior| story.decide(behavior));
        story.go(InvocationStatus::Running);
        assert_found(story.end(InvocationStatus::Succeeded), "without a decision that allows it");
    }
}

/// Item 106.
#[test]
fn a_call_has_one_result_before_it_comes_to_its_end_and_nothing_after() {
    let is_result = |draft: &Draft| matches!(draft.fact, Fact::Resulted(_));
    let mut none = allowed_call(1);
    none.retain(|draft| !is_result(draft));
    assert_found(renumbered(none), "before its result");
    let mut two = allowed_call(1);
    let result = two.iter().find(|draft| is_result(draft)).unwrap().clone();
    two.insert(9, result.clone());
    assert_found(renumbered(two), "two results");
    let mut after = allowed_call(1);
    after.push(result);
    assert_found(renumbered(after), "after its end");
}

#[test]
fn an_end_that_tells_another_story_is_found() {
    let mut drafts = allowed_call(1);
    let Fact::Ended(ended) = &mut drafts[11].fact else { panic!("the last fact is the end") };
    ended.transitions.remove(1);
    assert_found(drafts, "another path");
}

#[test]
fn a_fact_without_its_call_is_found() {
    let mut drafts = denied_call(1);
    drafts[0].invocation = None;
    assert_found(drafts, "does not name its call");
}

#[test]
fn a_record_that_breaks_our_own_rules_is_found() {
    let mut drafts = allowed_call(1);
    for draft in &mut drafts {
        if let Fact::Resulted(result) = &mut draft.fact {
            let mut changed = (**result).clone();
            changed.is_error = None;
            *result = changed.into();
        }
    }
    assert_found(drafts, "tool_result/is_error");
}

#[test]
fn a_journal_that_is_wrong_throughout_gives_a_bounded_list() {
    let drafts = (0..1_000).flat_map(|number| denied_call(number).into_iter().skip(1)).collect();
    assert_eq!(problems(drafts).len(), 100);
}

/// A random way through the states, with a decision where one is needed.
fn walk(choices: &[usize]) -> Vec<Draft> {
    let mut story = Story::begin(7);
    let mut status = InvocationStatus::Planned;
    let mut choices = choices.iter().copied();
    loop {
        // The last successor of every state is an end.
        let next = status.successors();
        status = next[choices.next().map_or(next.len() - 1, |choice| choice % next.len())];
        if status.is_terminal() {
            return story.end(status);
        }
        match status {
            InvocationStatus::Selected => story.select(),
            InvocationStatus::Queued | InvocationStatus::Running => {
                story.decide(Behavior::Allow);
                story.go(status);
            }
            _ => story.go(status),
        }
    }
}

proptest! {
    #[test]
    fn every_way_through_the_states_is_fine_and_no_fact_of_it_can_be_left_out(
        choices in proptest::collection::vec(0_usize..10, 0..40),
        lost in any::<prop::sample::Index>(),
    ) {
        let drafts = walk(&choices);
        prop_assert_eq!(problems(drafts.clone()), Vec::<String>::new());
        let mut rest = drafts;
        rest.pop();
        rest.remove(lost.index(rest.len() - 1));
        prop_assert!(!problems(rest).is_empty());
    }
}
