//! Checks of the public keys that people and agents send.

use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::{
    model::{KemPrekey, SignedPrekey},
    value::{PrekeyId, PublicKey, Signature},
};
use ed25519_dalek::VerifyingKey;

use crate::http::Refusal;

/// The u-coordinates of small order on the curve and on its twist, the highest bit cleared. With them, the
/// shared secret would always be zero.
const SMALL_ORDER: [[u8; 32]; 7] = [
    // 0
    [0; 32],
    // 1
    with_ends(1, 0, 0),
    // Order 8.
    [
        0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4,
        0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49,
        0xb8, 0x00,
    ],
    [
        0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef,
        0x5b, 0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f,
        0x11, 0x57,
    ],
    // p - 1, p, p + 1
    with_ends(0xec, 0xff, 0x7f),
    with_ends(0xed, 0xff, 0x7f),
    with_ends(0xee, 0xff, 0x7f),
];

const fn with_ends(first: u8, between: u8, last: u8) -> [u8; 32] {
    let mut bytes = [between; 32];
    let [low, .., high] = &mut bytes;
    (*low, *high) = (first, last);
    bytes
}

/// Checks the two keys of a device or an agent.
pub(crate) fn check_identity(agreement: &PublicKey, signing: &PublicKey) -> Result<(), Refusal> {
    check_agreement(agreement, "/public_key")?;
    verifying(signing, "/signing_public_key").map(|_| ())
}

/// Checks an X25519 key.
pub(crate) fn check_agreement(key: &PublicKey, pointer: &str) -> Result<(), Refusal> {
    let mut masked = *key.as_bytes();
    let [.., last] = &mut masked;
    // X25519 does not look at this bit.
    *last &= 0x7f;
    if SMALL_ORDER.contains(&masked) {
        return Err(invalid(pointer, "this X25519 key is a point of small order"));
    }
    Ok(())
}

/// Checks a signed prekey: its signature is the owner's, over the 32 bytes of the key.
pub(crate) fn check_signed_prekey(
    prekey: &SignedPrekey,
    signing: &PublicKey,
) -> Result<(), Refusal> {
    check_agreement(&prekey.public_key, "/signed_prekey/public_key")?;
    let owner = verifying(signing, "/signing_public_key")?;
    if !signed(&owner, prekey.public_key.as_bytes(), &prekey.signature) {
        let text = "the signing key of its owner has not signed the 32 bytes of this prekey";
        return Err(invalid("/signed_prekey/signature", text));
    }
    Ok(())
}

/// What the signature of a KEM prekey covers before the key itself.
const KEM_LABEL: &[u8] = b"assent/v1/kem";

/// Checks a KEM prekey: its id is derived from the key, and its signature is the owner's.
pub(crate) fn check_kem_prekey(prekey: &KemPrekey, signing: &PublicKey) -> Result<(), Refusal> {
    if prekey.key_id != PrekeyId::from(&prekey.public_key) {
        let text =
            "this must be the first 8 bytes of the SHA-256 of the key, in lower-case hexadecimal";
        return Err(invalid("/kem_prekey/key_id", text));
    }
    let owner = verifying(signing, "/signing_public_key")?;
    let message = [KEM_LABEL, prekey.public_key.as_bytes()].concat();
    if !signed(&owner, &message, &prekey.signature) {
        let text = "the signing key of its owner has not signed `assent/v1/kem` and this prekey";
        return Err(invalid("/kem_prekey/signature", text));
    }
    Ok(())
}

fn signed(owner: &VerifyingKey, message: &[u8], signature: &Signature) -> bool {
    let signature = ed25519_dalek::Signature::from_bytes(signature.as_bytes());
    owner.verify_strict(message, &signature).is_ok()
}

/// The Ed25519 key, if it is one that signatures can be verified with in only one way.
fn verifying(key: &PublicKey, pointer: &str) -> Result<VerifyingKey, Refusal> {
    let bytes = key.as_bytes();
    let key = VerifyingKey::from_bytes(bytes)
        .map_err(|_| invalid(pointer, "this is no Ed25519 key: no point has these bytes"))?;
    if key.is_weak() {
        return Err(invalid(pointer, "this Ed25519 key is a point of small order"));
    }
    if key.to_edwards().compress().as_bytes() != bytes {
        return Err(invalid(pointer, "this Ed25519 key is not in its one canonical form"));
    }
    Ok(key)
}

fn invalid(pointer: &str, why: &str) -> Refusal {
    ApiError::new(ApiCode::InvalidKey, why).at(pointer).into()
}

#[cfg(test)]
mod tests {
    use assent_relay_api::{
        model::{KemPrekey, SignedPrekey},
        value::{KemPublicKey, PublicKey},
    };
    use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
    use proptest::prelude::*;

    use super::{
        SMALL_ORDER, check_agreement, check_identity, check_kem_prekey, check_signed_prekey,
    };

    fn agreement(secret: &SigningKey) -> PublicKey {
        secret.verifying_key().to_montgomery().to_bytes().into()
    }

    fn signing(secret: &SigningKey) -> PublicKey {
        secret.verifying_key().to_bytes().into()
    }

    proptest! {
        #[test]
        fn every_real_key_is_accepted(seed: [u8; 32]) {
            let secret = SigningKey::from_bytes(&seed);
            prop_assert!(check_identity(&agreement(&secret), &signing(&secret)).is_ok());
        }

        #[test]
        fn no_bytes_whatever_make_the_checks_fail_otherwise_than_by_refusing(
            bytes: [u8; 32],
            signature: [[u8; 32]; 2],
        ) {
            let key = PublicKey::from(bytes);
            let mut both = [0; 64];
            both[..32].copy_from_slice(&signature[0]);
            both[32..].copy_from_slice(&signature[1]);
            let prekey =
                SignedPrekey { key_id: 1.into(), public_key: key, signature: both.into() };
            prop_assert!(check_signed_prekey(&prekey, &key).is_err());
        }

        #[test]
        fn a_prekey_is_the_owners_only_with_every_bit_of_key_and_signature(
            seed: [u8; 32],
            bit in 0_usize..96 * 8,
        ) {
            let owner = SigningKey::from_bytes(&seed);
            let key = agreement(&SigningKey::from_bytes(&[7; 32]));
            let mut public_key = *key.as_bytes();
            let mut signature = owner.sign(&public_key).to_bytes();
            let prekey = |public_key: [u8; 32], signature: [u8; 64]| SignedPrekey {
                key_id: 1.into(),
                public_key: public_key.into(),
                signature: signature.into(),
            };
            prop_assert!(check_signed_prekey(&prekey(public_key, signature), &signing(&owner)).is_ok());
            match bit / 8 {
                byte @ 0..32 => public_key[byte] ^= 1 << (bit % 8),
                byte => signature[byte - 32] ^= 1 << (bit % 8),
            }
            prop_assert!(check_signed_prekey(&prekey(public_key, signature), &signing(&owner)).is_err());
        }
    }

    fn kem_prekey(owner: &SigningKey, label: &[u8], key: [u8; 1216]) -> KemPrekey {
        let public_key = KemPublicKey::from(key);
        let signature = owner.sign(&[label, &key].concat()).to_bytes().into();
        KemPrekey { key_id: (&public_key).into(), public_key, signature }
    }

    #[test]
    fn a_kem_prekey_has_the_id_of_its_key_and_a_signature_with_the_label() {
        let owner = SigningKey::from_bytes(&[3; 32]);
        let check = |prekey: &KemPrekey| {
            let checked = check_kem_prekey(prekey, &signing(&owner));
            checked
                .map_err(|refusal| refusal.error().params["pointer"].as_str().unwrap().to_owned())
        };
        let right = kem_prekey(&owner, b"assent/v1/kem", [7; 1216]);
        assert_eq!(serde_json::to_value(&right.key_id).unwrap(), "bdaf76ae70b0ce3f");
        assert_eq!(check(&right), Ok(()));
        let refused = |pointer: &str| Err(pointer.to_owned());
        for key_id in [1.into(), "BDAF76AE70B0CE3F".to_owned().try_into().unwrap()] {
            let renamed = KemPrekey { key_id, ..right.clone() };
            assert_eq!(check(&renamed), refused("/kem_prekey/key_id"));
        }
        let mut changed = [7; 1216];
        changed[1215] = 8;
        let swapped = KemPrekey { signature: right.signature, ..kem_prekey(&owner, b"", changed) };
        let unlabeled = kem_prekey(&owner, b"", [7; 1216]);
        let foreign = kem_prekey(&SigningKey::from_bytes(&[4; 32]), b"assent/v1/kem", [7; 1216]);
        for prekey in [swapped, unlabeled, foreign] {
            assert_eq!(check(&prekey), refused("/kem_prekey/signature"));
        }
    }

    #[test]
    fn keys_of_small_order_are_refused_whatever_their_highest_bit() {
        for mut bytes in SMALL_ORDER {
            for high in [0, 0x80] {
                bytes[31] |= high;
                let refused = check_agreement(&bytes.into(), "/public_key").unwrap_err();
                assert_eq!(refused.error().params["pointer"], "/public_key");
            }
        }
        let fine = agreement(&SigningKey::from_bytes(&[1; 32]));
        for mut bytes in [[0; 32], SMALL_ORDER[1]] {
            bytes[31] |= 0x80;
            assert!(check_identity(&fine, &bytes.into()).is_err());
        }
    }

    /// The y-coordinates of order 8 on the other form of the curve.
    const ORDER_EIGHT: [&str; 2] = [
        "JuiVj8KyJ7BFw/SJ8u+Y8NXfrAXTxjM5sTgCiG1T/AU=",
        "xxdqcD1N2E+6PAt2DRBnDyogU/osOczGTsf9d5KsA3o=",
    ];

    #[test]
    fn the_points_of_order_eight_are_those_of_the_other_form_of_the_curve() {
        let points = ORDER_EIGHT.map(|text| {
            let key: PublicKey = text.parse().unwrap();
            let weak = VerifyingKey::from_bytes(key.as_bytes()).unwrap();
            assert!(weak.is_weak());
            weak.to_montgomery().to_bytes()
        });
        for point in points {
            assert!(SMALL_ORDER[2..4].contains(&point), "{point:?}");
        }
        assert_ne!(points[0], points[1]);
    }
}
