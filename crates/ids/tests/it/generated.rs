//! Generated ids: print and parse, order, refusals.

use assent_ids::{
    AgentId, Fault, GeneratedId, InvocationId, Ulid, UnixMillis,
    deterministic::{ManualClock, SeededEntropy},
};
use proptest::prelude::*;

fn invocation(bits: u128) -> InvocationId {
    InvocationId::from_ulid(Ulid::from_bits(bits))
}

#[test]
fn an_id_is_its_prefix_and_26_characters() {
    assert_eq!(invocation(0).to_string(), "inv_00000000000000000000000000");
    assert_eq!(invocation(u128::MAX).to_string(), "inv_7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
}

#[test]
fn the_published_ulid_example_reads_as_its_time() {
    let ulid: Ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
    assert_eq!(ulid.time(), UnixMillis::new(1_469_922_850_259));
    assert_eq!(ulid.to_string(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

#[test]
fn refusals_say_what_is_wrong() {
    let fault = |text: &str| text.parse::<InvocationId>().unwrap_err().fault();
    assert_eq!(fault(""), Fault::Prefix("inv"));
    assert_eq!(fault("agt_01ARZ3NDEKTSV4RRFFQ69G5FAV"), Fault::Prefix("inv"));
    assert_eq!(fault("inv01ARZ3NDEKTSV4RRFFQ69G5FAV"), Fault::Prefix("inv"));
    assert_eq!(fault("inv_01ARZ3NDEKTSV4RRFFQ69G5FA"), Fault::Length(26));
    assert_eq!(fault("inv_01arz3ndektsv4rrffq69g5fav"), Fault::Character(6));
    assert_eq!(fault("inv_01ARZ3NDEKTSV4RRFFQ69G5FAU"), Fault::Character(29));
    assert_eq!(fault("inv_8ZZZZZZZZZZZZZZZZZZZZZZZZZ"), Fault::Overflow);
    let error = "inv_\u{7}".parse::<InvocationId>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`inv_\\u{7}` is not a valid invocation id: it must have 26 characters"
    );
}

#[test]
fn a_clock_beyond_48_bits_shows_the_last_time_that_fits() {
    let clock = ManualClock::starting_at(UnixMillis::new(u64::MAX));
    let id = AgentId::generate(&clock, &SeededEntropy::new(1));
    assert_eq!(id.time(), UnixMillis::MAX);
}

#[test]
fn prefixes_are_three_letters_and_unique() {
    macro_rules! prefixes { ($($name:ident)+) => { [$(assent_ids::$name::PREFIX),+] } }
    let mut prefixes = prefixes! {
        UserId DeviceId AgentId RelationId LedgerEntryId ConversationId
        MessageId DeliveryId TokenId TokenFamilyId CredentialId RequestId
        SessionId RunId InvocationId BatchId SurfaceId DecisionId
        ApprovalId PromptId MutationId HookRunId ProgressId ResultId
        PersistenceId EventId AuditEntryId
    };
    assert!(prefixes.iter().all(|p| p.len() == 3 && p.bytes().all(|b| b.is_ascii_lowercase())));
    let count = prefixes.len();
    prefixes.sort_unstable();
    assert!(prefixes.windows(2).all(|pair| pair[0] != pair[1]));
    assert_eq!(count, 27);
}

proptest! {
    #[test]
    fn printing_and_parsing_give_the_same_id(bits: u128) {
        let id = invocation(bits);
        prop_assert_eq!(id.to_string().parse::<InvocationId>().unwrap(), id);
        let json = serde_json::to_string(&id).unwrap();
        prop_assert_eq!(serde_json::from_str::<InvocationId>(&json).unwrap(), id);
    }

    #[test]
    fn whatever_parses_prints_as_it_was(text in "inv_[0-9A-HJKMNP-TV-Z]{26}|\\PC{0,40}") {
        if let Ok(id) = text.parse::<InvocationId>() {
            prop_assert_eq!(id.to_string(), text);
        }
    }

    #[test]
    fn order_follows_time_as_value_and_as_text(
        early in 0..UnixMillis::MAX.get(), gap in 1_u64..1_000_000, seed: u64,
    ) {
        let clock = ManualClock::starting_at(UnixMillis::new(early));
        let entropy = SeededEntropy::new(seed);
        let first = InvocationId::generate(&clock, &entropy);
        clock.set(UnixMillis::new(early + gap));
        let second = InvocationId::generate(&clock, &entropy);
        prop_assert!(first < second);
        prop_assert!(first.to_string() < second.to_string());
        prop_assert_eq!(first.time().get(), early);
    }

    #[test]
    fn the_same_seed_gives_the_same_ids(seed: u64, at in 0_u64..1 << 48) {
        let make = || {
            let clock = ManualClock::starting_at(UnixMillis::new(at));
            let entropy = SeededEntropy::new(seed);
            [AgentId::generate(&clock, &entropy), AgentId::generate(&clock, &entropy)]
        };
        prop_assert_eq!(make(), make());
        prop_assert_ne!(make()[0], make()[1]);
    }
}
