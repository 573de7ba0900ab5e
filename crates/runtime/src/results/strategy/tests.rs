//! Which strategy is chosen, and that it can only become stricter.

use proptest::prelude::*;

use super::{
    Choice, Json, PersistencePolicy, Redacted, Strategy as Way, reads_stored_result, stricter,
};
use crate::{
    executor::Body,
    results::{Limits, Mapped, Scrubber, policy::DEFAULT_INLINE_CHARS},
};

/// Returns `true` if `one` shows and stores no more than `other`.
fn is_at_least_as_strict(one: Way, other: Way) -> bool {
    stricter(one, other) == one
}

fn text(text: impl Into<String>) -> Redacted {
    Redacted::new(Mapped::of(Body::Text(text.into()), None).unwrap(), None, None)
}

fn policy(chars: Option<usize>, strategy: Option<Way>) -> PersistencePolicy {
    PersistencePolicy { max_inline_chars: chars, strategy, ..PersistencePolicy::default() }
}

fn chosen(policy: &PersistencePolicy, result: &Redacted) -> Way {
    Choice::new(policy, result, false).strategy()
}

/// Item 153.
#[test]
fn the_limit_is_the_last_size_that_is_passed_on_whole() {
    let default = PersistencePolicy::default();
    assert_eq!(chosen(&default, &text("é".repeat(DEFAULT_INLINE_CHARS))), Way::Inline);
    let over = text("é".repeat(DEFAULT_INLINE_CHARS + 1));
    assert_eq!(chosen(&default, &over), Way::PreviewAndPersist);
}

#[test]
fn whichever_of_characters_and_bytes_trips_first_wins() {
    let both = PersistencePolicy {
        max_inline_chars: Some(10),
        max_inline_bytes: Some(12),
        ..PersistencePolicy::default()
    };
    assert_eq!(chosen(&both, &text("x".repeat(10))), Way::Inline);
    assert_eq!(chosen(&both, &text("x".repeat(11))), Way::PreviewAndPersist);
    assert_eq!(chosen(&both, &text("é".repeat(7))), Way::PreviewAndPersist);
    let choice = Choice::new(&both, &text("é".repeat(7)), false);
    assert_eq!(choice.reason(), "it has 14 bytes, and 12 are passed on whole");
    let bytes = PersistencePolicy { max_inline_bytes: Some(1), ..Default::default() };
    assert_eq!(bytes.limits(), Limits { chars: None, bytes: Some(1) });
}

#[test]
fn a_strategy_says_what_becomes_of_what_is_too_large() {
    for (strategy, small, large) in [
        (Way::Inline, Way::Inline, Way::PreviewAndPersist),
        (Way::PreviewAndPersist, Way::Inline, Way::PreviewAndPersist),
        (Way::RefOnly, Way::Inline, Way::RefOnly),
        (Way::Redact, Way::Redact, Way::PreviewAndPersist),
        (Way::DropWithReason, Way::Inline, Way::DropWithReason),
        (Way::NeverPersist, Way::NeverPersist, Way::NeverPersist),
    ] {
        let policy = policy(Some(3), Some(strategy));
        assert_eq!(chosen(&policy, &text("abc")), small, "{strategy}");
        assert_eq!(chosen(&policy, &text("abcd")), large, "{strategy}");
    }
}

#[test]
fn withholding_without_a_limit_is_meant_for_all_results() {
    for strategy in [Way::RefOnly, Way::DropWithReason] {
        let choice = Choice::new(&policy(None, Some(strategy)), &text("a"), false);
        assert_eq!(choice.strategy(), strategy);
        assert!(!choice.is_over());
    }
}

#[test]
fn a_small_result_that_held_something_sensitive_is_redacted() {
    let scrubber = Scrubber::new(["hunter2".to_owned()]);
    let mapped = Mapped::of(Body::Text("it is hunter2".into()), None).unwrap();
    let result = Redacted::new(mapped, Some(&scrubber), None);
    assert_eq!(chosen(&PersistencePolicy::default(), &result), Way::Redact);
}

/// Item 155.
#[test]
fn what_was_read_from_the_store_is_never_stored_again() {
    let uri = "blob:sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for input in [
        format!(r#"{{"uri":"{uri}"}}"#),
        format!(r#"{{"args":["--from", "see {uri}#L1"]}}"#),
        format!(r#"{{"{uri}":true}}"#),
        format!(r#""{}""#, uri.replace(':', "\\u003a")),
    ] {
        assert!(reads_stored_result(&Json::read(input.clone()).unwrap()), "{input}");
    }
    let other = Json::read(r#"{"uri":"blob:sha256:123","n":1}"#).unwrap();
    assert!(!reads_stored_result(&other));
    let large = Choice::new(&policy(Some(1), None), &text("large"), true);
    assert_eq!(large.strategy(), Way::NeverPersist);
    assert!(large.is_over());
    let private = Choice::new(&policy(None, Some(Way::RefOnly)), &text("private"), true);
    assert_eq!(private.strategy(), Way::DropWithReason, "neither shown nor stored");
}

#[test]
fn the_strategies_are_ordered_by_strictness() {
    let chain = |chain: [Way; 5]| {
        for (at, looser) in chain.iter().enumerate() {
            for stricter_one in chain.iter().skip(at) {
                assert!(is_at_least_as_strict(*stricter_one, *looser));
                assert_eq!(is_at_least_as_strict(*looser, *stricter_one), looser == stricter_one);
            }
        }
    };
    let below = [Way::Inline, Way::Redact, Way::PreviewAndPersist];
    chain([below[0], below[1], below[2], Way::RefOnly, Way::DropWithReason]);
    chain([below[0], below[1], below[2], Way::NeverPersist, Way::DropWithReason]);
    assert!(!is_at_least_as_strict(Way::RefOnly, Way::NeverPersist));
    assert!(!is_at_least_as_strict(Way::NeverPersist, Way::RefOnly));
}

fn any_way() -> impl Strategy<Value = Way> {
    prop::sample::select(Way::ALL)
}

proptest! {
    #[test]
    fn the_stricter_of_several_does_not_depend_on_their_order(
        a in any_way(), b in any_way(), c in any_way(),
    ) {
        prop_assert_eq!(stricter(a, a), a);
        prop_assert_eq!(stricter(a, b), stricter(b, a));
        prop_assert_eq!(stricter(stricter(a, b), c), stricter(a, stricter(b, c)));
        prop_assert!(is_at_least_as_strict(stricter(a, b), a));
        if is_at_least_as_strict(a, b) {
            prop_assert!(is_at_least_as_strict(stricter(a, c), stricter(b, c)), "monotone");
        }
    }

    #[test]
    fn hooks_can_only_make_a_choice_stricter(
        limit in prop::option::of(0..20_usize),
        strategy in prop::option::of(any_way()),
        length in 1..20_usize,
        reads_stored: bool,
        asked in prop::collection::vec(any_way(), 0..4),
    ) {
        let first = Choice::new(&policy(limit, strategy), &text("x".repeat(length)), reads_stored);
        let last = asked.iter().fold(first.clone(), |choice, way| choice.tightened(*way, "a hook"));
        prop_assert!(is_at_least_as_strict(last.strategy(), first.strategy()));
        for way in asked {
            prop_assert!(is_at_least_as_strict(last.strategy(), way));
        }
        let passes_on = matches!(last.strategy(), Way::Inline | Way::Redact);
        prop_assert!(!(last.is_over() && passes_on), "what is too large is not passed on whole");
    }

    #[test]
    fn a_larger_result_is_never_treated_less_strictly(
        limit in prop::option::of(0..20_usize),
        strategy in prop::option::of(any_way()),
        length in 1..20_usize,
        more in 0..20_usize,
    ) {
        let policy = policy(limit, strategy);
        let small = chosen(&policy, &text("x".repeat(length)));
        let large = chosen(&policy, &text("x".repeat(length + more)));
        prop_assert!(is_at_least_as_strict(large, small));
    }
}
