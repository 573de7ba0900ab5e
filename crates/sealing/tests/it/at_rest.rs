//! Data on disk.

use assent_sealing::{StorageKey, UnsealError};

use crate::sides::entropy;

#[test]
fn data_is_read_at_its_place_with_its_key_only() {
    let key = StorageKey::generate(&entropy());
    let sealed = key.seal("inbox/7", b"secret", &entropy());
    assert_eq!(**key.unseal("inbox/7", &sealed).unwrap(), *b"secret");
    assert_eq!(key.unseal("inbox/8", &sealed).unwrap_err(), UnsealError);
    let other = StorageKey::generate(&entropy());
    assert_eq!(other.unseal("inbox/7", &sealed).unwrap_err(), UnsealError);
}

#[test]
fn every_changed_byte_is_noticed() {
    let key = StorageKey::generate(&entropy());
    let sealed = key.seal("row", b"secret", &entropy());
    for at in 0..sealed.len() {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        assert!(key.unseal("row", &changed).is_err(), "byte {at}");
        assert!(key.unseal("row", &sealed[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn the_same_data_never_looks_the_same() {
    let key = StorageKey::generate(&entropy());
    assert_ne!(key.seal("row", b"", &entropy()), key.seal("row", b"", &entropy()));
    assert_eq!(format!("{key:?}"), "StorageKey(…)");
}
