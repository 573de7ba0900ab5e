//! Publishing, refilling and replacing prekeys.

use std::time::Duration;

use assent_sealing::{Account, BundleError, KEM_KEY_BYTES};

use crate::sides::{NOW, Side, entropy, strangers};

const DAY: Duration = Duration::from_hours(24);

fn start(device: &mut Side, bundle: &assent_sealing::PrekeyBundle) -> Result<(), BundleError> {
    let (account, endpoint) = (&device.account, device.endpoint);
    device.peer.start_session(account, endpoint, bundle, NOW, &entropy())
}

#[test]
fn a_new_account_publishes_fifty_one_time_prekeys() {
    let mut account = Account::generate(NOW, &entropy());
    let prekeys = account.prekeys();
    assert_eq!(prekeys.one_time_prekeys.len(), 50);
    assert_eq!(prekeys.kem_prekey.public_key.len(), KEM_KEY_BYTES);
    assert_eq!(prekeys.kem_prekey.key_id.len(), 16);
    assert_eq!(account.prekeys(), prekeys, "asking again gives the same");
    account.mark_prekeys_published();
    assert_eq!(account.prekeys().one_time_prekeys, []);
    assert_eq!(account.prekeys().signed_prekey, prekeys.signed_prekey);
}

#[test]
fn one_time_prekeys_are_refilled_below_twenty() {
    let mut account = Account::generate(NOW, &entropy());
    account.mark_prekeys_published();
    assert!(!account.refill_one_time_prekeys(20));
    assert!(account.refill_one_time_prekeys(19));
    assert_eq!(account.prekeys().one_time_prekeys.len(), 31);
    assert!(account.refill_one_time_prekeys(19), "they are not published yet");
    assert_eq!(account.prekeys().one_time_prekeys.len(), 31, "and no more are made");
}

#[test]
fn prekeys_are_replaced_after_a_week() {
    let mut account = Account::generate(NOW, &entropy());
    let before = account.prekeys();
    assert!(!account.rotate_prekeys(NOW.after(7 * DAY - Duration::from_millis(1)), &entropy()));
    assert!(account.rotate_prekeys(NOW.after(7 * DAY), &entropy()));
    let after = account.prekeys();
    assert_ne!(after.signed_prekey.public_key, before.signed_prekey.public_key);
    assert_ne!(after.kem_prekey.public_key, before.kem_prekey.public_key);
}

#[test]
fn a_signed_prekey_that_was_used_is_replaced_after_a_day() {
    let (mut device, mut agent) = strangers();
    let bundle = agent.bundle(None);
    start(&mut device, &bundle).unwrap();
    let sent = device.seal("m", b"hello");
    agent.open(&sent).unwrap();
    agent.restart();
    assert!(!agent.account.rotate_prekeys(NOW.after(DAY - Duration::from_millis(1)), &entropy()));
    assert!(agent.account.rotate_prekeys(NOW.after(DAY), &entropy()));
    assert!(!agent.account.rotate_prekeys(NOW.after(2 * DAY), &entropy()), "the new one is unused");
}

#[test]
fn bundles_must_come_from_the_pinned_keys() {
    let (mut device, mut agent) = strangers();
    let (mut other, _) = strangers();
    let good = agent.bundle(Some(0));
    let before = device.state();
    let mut keys = good.clone();
    keys.keys = other.account.public_keys();
    assert_eq!(start(&mut device, &keys), Err(BundleError::KeysChanged));
    let mut signed = good.clone();
    signed.signed_prekey = other.bundle(None).signed_prekey;
    assert_eq!(start(&mut device, &signed), Err(BundleError::BadSignature));
    let mut kem = good.clone();
    kem.kem_prekey = other.bundle(None).kem_prekey;
    assert_eq!(start(&mut device, &kem), Err(BundleError::BadSignature));
    let mut unsigned = good.clone();
    unsigned.kem_prekey.signature[5] ^= 1;
    assert_eq!(start(&mut device, &unsigned), Err(BundleError::BadSignature));
    let mut short = good.clone();
    short.kem_prekey.public_key.truncate(1000);
    assert_eq!(start(&mut device, &short), Err(BundleError::BadSignature));
    assert_eq!(device.state(), before);
    assert_eq!(start(&mut device, &good), Ok(()));
}

#[test]
fn a_one_time_prekey_of_all_zeros_is_refused() {
    let (mut device, mut agent) = strangers();
    let mut bundle = agent.bundle(Some(0));
    bundle.one_time_prekey.as_mut().unwrap().public_key = [0; 32];
    assert_eq!(start(&mut device, &bundle), Err(BundleError::BadKey));
}

#[test]
fn a_one_time_prekey_that_the_relay_made_up_opens_nothing() {
    let (mut device, mut agent) = strangers();
    let (mut relay, _) = strangers();
    let mut bundle = agent.bundle(None);
    bundle.one_time_prekey = relay.bundle(Some(0)).one_time_prekey;
    start(&mut device, &bundle).unwrap();
    let sent = device.seal("m", b"hello");
    assert_eq!(agent.open(&sent), Err(assent_sealing::Refusal::PrekeyUsed));
}

#[test]
fn what_is_stored_is_read_again_and_nothing_else_is() {
    let (device, _) = strangers();
    let (account, peer) = device.state();
    assert_eq!(Account::from_json(&account).unwrap().to_json().unwrap().to_vec(), account);
    assert!(Account::from_json(&peer).is_err());
    assert!(Account::from_json(&account[..account.len() - 1]).is_err());
    assert!(assent_sealing::Peer::from_json(&account).is_err());
}

#[test]
fn debug_output_shows_no_secret() {
    let (device, _) = strangers();
    let shown = format!("{:?} {:?}", device.account, device.peer);
    assert_eq!(
        shown,
        "Account { keys: PublicKeys { .. }, .. } Peer { endpoint: \
         Agent(agt_00000000000000000000000002), has_changed: false, sessions: 0, .. }"
    );
}
