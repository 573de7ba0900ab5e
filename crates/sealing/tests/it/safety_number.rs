//! The number that two people compare.

use assent_sealing::{PublicKeys, SafetyNumber};

use crate::sides::{agent, device};

const ONE: PublicKeys = PublicKeys { identity: [1; 32], signing: [2; 32] };
const OTHER: PublicKeys = PublicKeys { identity: [3; 32], signing: [4; 32] };

#[test]
fn both_sides_see_the_same_number() {
    let here = SafetyNumber::new((device(1), &ONE), (agent(2), &OTHER));
    let there = SafetyNumber::new((agent(2), &OTHER), (device(1), &ONE));
    assert_eq!(here, there);
    assert_eq!(here.digits().len(), 60);
    assert!(here.digits().bytes().all(|byte| byte.is_ascii_digit()));
    assert_eq!(here.to_string().split(' ').count(), 12);
    assert_eq!(here.qr_text(), format!("assent-safety:1:{}", here.digits()));
}

#[test]
fn other_keys_or_other_ids_give_another_number() {
    let number = SafetyNumber::new((device(1), &ONE), (agent(2), &OTHER));
    let swapped = PublicKeys { identity: OTHER.signing, signing: OTHER.identity };
    for other in [
        SafetyNumber::new((device(1), &ONE), (agent(2), &swapped)),
        SafetyNumber::new((device(1), &ONE), (agent(3), &OTHER)),
        SafetyNumber::new((device(5), &ONE), (agent(2), &OTHER)),
    ] {
        assert_ne!(number, other);
    }
}

#[test]
fn a_typed_number_matches_with_and_without_spaces() {
    let number = SafetyNumber::new((device(1), &ONE), (agent(2), &OTHER));
    assert!(number.matches(&number.to_string()));
    assert!(number.matches(number.digits()));
    assert!(!number.matches(&number.digits()[1..]));
    assert!(!number.matches(""));
}
