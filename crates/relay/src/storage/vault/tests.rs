//! What is sealed opens with its key, in its place, and not otherwise.

use std::path::Path;

use assent_ids::SystemEntropy;
use proptest::prelude::*;
use zeroize::Zeroizing;

use super::{
    Closed, Stored, Vault, VaultError,
    key_file::{self, Entry},
};

fn hex(key: &[u8; 32]) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A vault whose file says this.
fn vault(lines: &[String]) -> Vault {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), lines.join("\n")).unwrap();
    Vault::read(file.path()).unwrap()
}

fn seal(vault: &Vault, place: &str, secret: &[u8]) -> Stored {
    vault.seal(place, secret, &SystemEntropy::new().unwrap()).unwrap()
}

fn copy(stored: &Stored) -> Stored {
    Stored { secret: stored.secret.clone(), under: stored.under.clone() }
}

proptest! {
    #[test]
    fn a_secret_opens_where_it_was_sealed_and_nowhere_else(
        key: [u8; 32],
        other: [u8; 32],
        secret in prop::collection::vec(any::<u8>(), 0..100),
        place in "[a-z:]{0,20}",
        elsewhere in "[a-z:]{0,20}",
        flipped: (prop::sample::Index, u8),
    ) {
        prop_assume!(key != other && place != elsewhere && flipped.1 != 0);
        let sealing = vault(&[hex(&key)]);
        let stored = seal(&sealing, &place, &secret);
        prop_assert_eq!(&**sealing.open(&place, copy(&stored)).unwrap(), &secret);
        prop_assert_eq!(sealing.open(&elsewhere, copy(&stored)), Err(Closed::Changed));

        let mut changed = copy(&stored);
        let at = flipped.0.index(changed.secret.len());
        changed.secret[at] ^= flipped.1;
        prop_assert_eq!(sealing.open(&place, changed), Err(Closed::Changed));

        // With another key the error names the missing one; with both keys it opens.
        let under = stored.under.clone().unwrap();
        let stranger = vault(&[hex(&other)]);
        prop_assert_eq!(stranger.open(&place, copy(&stored)), Err(Closed::UnknownKey(under)));
        let both = vault(&[hex(&other), hex(&key)]);
        prop_assert_eq!(&**both.open(&place, copy(&stored)).unwrap(), &secret);
        prop_assert_eq!(seal(&both, &place, &secret).under, seal(&stranger, &place, &secret).under);
    }

    #[test]
    fn a_file_is_read_line_by_line(keys in prop::collection::vec(any::<[u8; 32]>(), 0..5)) {
        let mut text = String::from("# keys\n\n");
        for key in &keys {
            text.push_str(&format!("  {}\r\n# and\n", hex(key)));
        }
        let expected: Vec<_> = keys.iter().map(|key| Entry::Key(Zeroizing::new(*key))).collect();
        prop_assert_eq!(key_file::parse(text.as_bytes()), Ok(expected));
        let wrong = format!("{text}{}\n", "0".repeat(63));
        prop_assert_eq!(key_file::parse(wrong.as_bytes()), Err(3 + 2 * keys.len()));
    }

    #[test]
    fn whatever_is_in_a_file_it_is_read_or_refused_by_its_line(
        file in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'#'), Just(b'a')], 0..200),
    ) {
        let lines = file.split(|byte| *byte == b'\n').count();
        match key_file::parse(&file) {
            Ok(entries) => prop_assert!(entries.len() <= lines),
            Err(line) => prop_assert!((1..=lines).contains(&line)),
        }
    }
}

#[test]
fn without_a_key_secrets_are_stored_as_they_are() {
    let key = hex(&[7; 32]);
    for plain in [Vault::default(), vault(&["plain".to_owned(), key.clone()])] {
        let stored = seal(&plain, "here", b"secret");
        assert_eq!(stored, Stored { secret: Zeroizing::new(b"secret".to_vec()), under: None });
        let sealing = vault(std::slice::from_ref(&key));
        assert_eq!(&**sealing.open("here", stored).unwrap(), b"secret");
    }
}

#[test]
fn two_sealings_of_one_secret_have_nothing_in_common() {
    let vault = vault(&[hex(&[7; 32])]);
    let (one, two) = (seal(&vault, "here", &[1; 32]), seal(&vault, "here", &[1; 32]));
    assert_ne!(one.secret, two.secret);
    assert_eq!(one.secret.len(), 12 + 32 + 16);
}

#[test]
fn a_file_that_is_no_key_is_refused_without_showing_it() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let read = |text: &str| {
        std::fs::write(file.path(), text).unwrap();
        Vault::read(file.path()).unwrap_err().to_string()
    };
    let name = file.path().display();
    let wrong = "is no key: expected 64 hexadecimal digits, as `openssl rand -hex 32` prints them, or `plain`";
    assert_eq!(read("\nswordfish\n"), format!("line 2 of `{name}` {wrong}"));
    let empty = format!("there is no key in `{name}`: put one there with `openssl rand -hex 32`");
    assert_eq!(read("# nothing\n"), empty);
    let missing = Vault::read(Path::new("/nonexistent/key")).unwrap_err();
    assert!(matches!(missing, VaultError::Unreadable { .. }), "{missing}");
}

#[test]
fn keys_are_not_printed() {
    let vault = vault(&[hex(&[7; 32])]);
    let printed = format!("{vault:?}");
    assert!(printed.starts_with("Vault([\"") && printed.len() < 40, "{printed}");
}
