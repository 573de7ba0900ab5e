//! The ledger: what is signed, what may follow what, and the worked example of its page.

use assent_ids::{DeviceId, GeneratedId, ScopeId, Ulid};
use assent_json::Digest;
use assent_relay_api::{
    ledger::{
        LedgerAction, LedgerEntry, LedgerError, LedgerRecord, MAX_GRANTED_SCOPES, SignatureError,
        SignedEntry, check_next,
    },
    read::read_body,
    value::PublicKey,
};
use ed25519_dalek::SigningKey;
use proptest::{prelude::*, sample::Index};

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ledger.md");
    std::fs::read_to_string(path).unwrap()
}

/// The blocks of code of the page, in their order.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("\n```").next().unwrap().to_owned()).collect()
}

fn example() -> [SignedEntry; 3] {
    let blocks = blocks(&page(), "json");
    let entries: Vec<SignedEntry> =
        blocks.iter().map(|block| read_body(block.as_bytes()).unwrap()).collect();
    entries.try_into().unwrap()
}

#[test]
fn the_worked_example_is_right() {
    let page = page();
    let texts = blocks(&page, "text");
    let [key, canonical, hash] = texts.as_slice() else { panic!("three blocks of text") };
    let signing = SigningKey::from_bytes(&[7; 32]);
    let public = PublicKey::from(signing.verifying_key().to_bytes());
    assert_eq!(public.to_string(), *key);
    let entries = example();
    assert_eq!(entries[0].entry.canonical_bytes().unwrap(), canonical.as_bytes());
    assert_eq!(entries[0].entry.digest().unwrap().to_string(), *hash);
    let mut previous = None;
    for signed in &entries {
        signed.verify(&public).unwrap();
        check_next(previous, &signed.entry).unwrap();
        assert_eq!(SignedEntry::sign(signed.entry.clone(), &signing).unwrap(), *signed);
        previous = Some(&signed.entry);
    }
}

#[test]
fn every_rule_that_an_entry_can_break_is_noticed() {
    let [first, second, third] = example().map(|signed| signed.entry);
    let broken =
        |previous: Option<&LedgerEntry>, entry: &LedgerEntry, change: &dyn Fn(&mut LedgerEntry)| {
            let mut entry = entry.clone();
            change(&mut entry);
            check_next(previous, &entry).unwrap_err()
        };
    let other: DeviceId = DeviceId::from_ulid(Ulid::from_bits(1));
    assert_eq!(
        check_next(Some(&first), &LedgerEntry { device_id: other, ..second.clone() }),
        Ok(())
    );
    assert_eq!(broken(None, &first, &|entry| entry.v = 2), LedgerError::UnknownVersion(2));
    let another = assent_ids::UserId::from_ulid(Ulid::from_bits(1));
    assert_eq!(broken(None, &first, &|entry| entry.user_id = another), LedgerError::KeyMismatch);
    assert_eq!(
        broken(None, &first, &|entry| entry.relation_key.user_id = another),
        LedgerError::KeyMismatch
    );
    let twice =
        |entry: &mut LedgerEntry| entry.granted_scopes.push("filesystem:read".parse().unwrap());
    assert!(matches!(broken(None, &first, &twice), LedgerError::DuplicateScope(_)));
    assert_eq!(broken(Some(&second), &third, &twice), LedgerError::RevocationGrants);
    assert_eq!(broken(None, &first, &|entry| entry.manifest_version = 0), LedgerError::NoManifest);
    let when = |text: &'static str| {
        move |entry: &mut LedgerEntry| {
            entry.issued_at = serde_json::from_str(&format!("\"{text}\"")).unwrap()
        }
    };
    assert!(matches!(broken(None, &first, &when("yesterday")), LedgerError::IssuedAt(_)));
    assert_eq!(
        broken(Some(&first), &second, &when("2026-05-08T09:29:59.999Z")),
        LedgerError::Earlier
    );
    assert_eq!(
        broken(Some(&first), &second, &when("2026-05-08T10:29:59+01:00")),
        LedgerError::Earlier
    );
    assert_eq!(
        broken(Some(&first), &second, &|entry| entry.prev = None),
        LedgerError::WrongPrevious
    );
    assert_eq!(broken(None, &second, &|_| {}), LedgerError::WrongPrevious);
    assert_eq!(
        broken(Some(&second), &third, &|entry| entry.manifest_version = 1),
        LedgerError::OlderManifest
    );
    let hash = |entry: &mut LedgerEntry| entry.manifest_hash = first.manifest_hash.clone();
    assert_eq!(broken(Some(&second), &third, &hash), LedgerError::OtherManifest);
    let stranger = |entry: &mut LedgerEntry| {
        entry.user_id = another;
        entry.relation_key.user_id = another;
    };
    assert_eq!(broken(Some(&first), &second, &stranger), LedgerError::OtherChain);
}

#[test]
fn an_entry_grants_at_most_256_scopes() {
    let [first, ..] = example().map(|signed| signed.entry);
    let with = |count: usize| {
        let scopes = (0..count).map(|number| format!("area:s{number}").parse::<ScopeId>().unwrap());
        check_next(None, &LedgerEntry { granted_scopes: scopes.collect(), ..first.clone() })
    };
    assert_eq!(with(MAX_GRANTED_SCOPES), Ok(()));
    assert_eq!(with(MAX_GRANTED_SCOPES + 1), Err(LedgerError::TooManyScopes));
}

#[test]
fn actions_follow_each_other_in_one_way_only() {
    use LedgerAction::{Grant, Revoke, Update};
    let [first, second, _] = example().map(|signed| signed.entry);
    for (previous, allowed) in [
        (None, vec![Grant]),
        (Some(Grant), vec![Update, Revoke]),
        (Some(Update), vec![Update, Revoke]),
        (Some(Revoke), vec![Grant]),
    ] {
        let before = previous.map(|action| LedgerEntry {
            action,
            granted_scopes: Vec::new(),
            ..first.clone()
        });
        for action in [Grant, Update, Revoke] {
            let prev = before.as_ref().map(|entry| entry.digest().unwrap());
            let next = LedgerEntry { action, prev, granted_scopes: Vec::new(), ..second.clone() };
            let expected = if allowed.contains(&action) {
                Ok(())
            } else {
                Err(LedgerError::Action { previous, next: action })
            };
            assert_eq!(check_next(before.as_ref(), &next), expected, "{previous:?} {action}");
        }
    }
}

#[test]
fn keys_for_which_signatures_can_be_forged_are_refused() {
    let [first, ..] = example();
    let mut identity = [0; 32];
    identity[0] = 1;
    // The order of these points is 1, 2, 4, 4 and 8; the last one is no point of the curve.
    let small = [
        identity,
        bytes("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
        [0; 32],
        bytes("0000000000000000000000000000000000000000000000000000000000000080"),
        bytes("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
        bytes("0200000000000000000000000000000000000000000000000000000000000000"),
    ];
    for key in small {
        let key = PublicKey::from(key);
        assert!(!key.can_sign());
        assert_eq!(first.verify(&key), Err(SignatureError::Key));
    }
    assert!(
        PublicKey::from(SigningKey::from_bytes(&[7; 32]).verifying_key().to_bytes()).can_sign()
    );
}

fn bytes(hex: &str) -> [u8; 32] {
    let digest: Digest = hex.parse().unwrap();
    *digest.as_bytes()
}

#[test]
fn a_record_is_verified_with_the_key_it_names() {
    let [SignedEntry { entry, signature }, ..] = example();
    let key = SigningKey::from_bytes(&[7; 32]).verifying_key().to_bytes();
    let record = LedgerRecord { entry, signature, signing_public_key: key.into() };
    assert_eq!(record.verify(), Ok(()));
    let other = SigningKey::from_bytes(&[8; 32]).verifying_key().to_bytes();
    let record = LedgerRecord { signing_public_key: other.into(), ..record };
    assert_eq!(record.verify(), Err(SignatureError::Signature));
}

/// What a device wants to do next; what does not fit is left out.
#[derive(Clone, Debug)]
struct Wish {
    action: LedgerAction,
    scopes: Vec<ScopeId>,
    later: i64,
    newer: u64,
}

fn wishes() -> impl Strategy<Value = Vec<Wish>> {
    let action = prop_oneof![
        Just(LedgerAction::Grant),
        Just(LedgerAction::Update),
        Just(LedgerAction::Revoke)
    ];
    let scope = "[a-z]{1,4}:[a-z]{1,4}".prop_map(|text| text.parse().unwrap());
    let wish = (action, proptest::collection::btree_set(scope, 0..4), 0_i64..100_000, 0_u64..3);
    let wish = wish.prop_map(|(action, scopes, later, newer)| Wish {
        action,
        scopes: scopes.into_iter().collect(),
        later,
        newer,
    });
    proptest::collection::vec(wish, 1..24)
}

/// The chain that comes of the wishes that fit.
fn chain(wishes: &[Wish]) -> Vec<LedgerEntry> {
    let [first, ..] = example().map(|signed| signed.entry);
    let mut chain: Vec<LedgerEntry> = Vec::new();
    for wish in wishes {
        let last = chain.last();
        let revokes = wish.action == LedgerAction::Revoke;
        let from = last.unwrap_or(&first);
        let millis = from.issued_at.instant().unwrap().as_millisecond() + wish.later;
        let version = last.map_or(1, |entry| entry.manifest_version) + wish.newer;
        let next = LedgerEntry {
            action: wish.action,
            granted_scopes: if revokes { Vec::new() } else { wish.scopes.clone() },
            manifest_version: version,
            manifest_hash: Digest::of(&version.to_be_bytes()).to_string().parse().unwrap(),
            prev: last.map(|entry| entry.digest().unwrap()),
            issued_at: assent_ids::UnixMillis::new(u64::try_from(millis).unwrap()).into(),
            ..first.clone()
        };
        if check_next(last, &next).is_ok() {
            chain.push(next);
        }
    }
    chain
}

fn check_all(chain: &[LedgerEntry]) -> Result<(), LedgerError> {
    let mut previous = None;
    for entry in chain {
        check_next(previous, entry)?;
        previous = Some(entry);
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_chain_of_entries_that_fit_is_a_good_chain(wishes in wishes()) {
        prop_assert_eq!(check_all(&chain(&wishes)), Ok(()));
    }

    #[test]
    fn whatever_is_left_out_swapped_or_repeated_is_noticed(wishes in wishes(), at in any::<Index>()) {
        let chain = chain(&wishes);
        prop_assume!(chain.len() >= 2);
        let at = at.index(chain.len() - 1);
        let mut shorter = chain.clone();
        shorter.remove(at);
        prop_assert!(check_all(&shorter).is_err());
        let mut swapped = chain.clone();
        swapped.swap(at, at + 1);
        prop_assert!(check_all(&swapped).is_err());
        let mut repeated = chain.clone();
        repeated.insert(at, chain[at].clone());
        prop_assert!(check_all(&repeated).is_err());
    }

    #[test]
    fn entries_come_back_from_their_canonical_bytes(wishes in wishes()) {
        for entry in chain(&wishes) {
            let canonical = entry.canonical_bytes().unwrap();
            let read: LedgerEntry = read_body(&canonical).unwrap();
            prop_assert_eq!(read.canonical_bytes().unwrap(), canonical);
            prop_assert_eq!(read, entry);
        }
    }

    #[test]
    fn no_flipped_bit_of_a_signature_and_no_other_entry_verifies(wishes in wishes(), at in any::<Index>(), bit in 0_u8..8) {
        let key = SigningKey::from_bytes(&[7; 32]);
        let public = PublicKey::from(key.verifying_key().to_bytes());
        let chain = chain(&wishes);
        prop_assume!(!chain.is_empty());
        let signed = SignedEntry::sign(chain[0].clone(), &key).unwrap();
        prop_assert_eq!(signed.verify(&public), Ok(()));
        let mut bytes = *signed.signature.as_bytes();
        bytes[at.index(64)] ^= 1 << bit;
        let forged = SignedEntry { signature: bytes.into(), ..signed.clone() };
        prop_assert_eq!(forged.verify(&public), Err(SignatureError::Signature));
        for other in &chain[1..] {
            let moved = SignedEntry { entry: other.clone(), ..signed.clone() };
            prop_assert_eq!(moved.verify(&public), Err(SignatureError::Signature));
        }
    }
}
