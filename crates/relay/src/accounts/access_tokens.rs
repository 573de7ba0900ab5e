//! Access tokens of people: JSON Web Tokens, signed with Ed25519, good for five minutes.
//!
//! One algorithm, named by us and not by the token: there is nothing to confuse.

mod verified;

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
};

use assent_ids::{TokenFamilyId, UnixMillis, UserId};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

use self::verified::{Known, Verified};

/// How long a token is good, in seconds.
pub(crate) const LIFETIME_SECONDS: u64 = 300;

/// By how much the clocks of nodes may differ, in seconds.
const TOLERANCE_SECONDS: u64 = 30;

/// The longest token that is looked at.
const MAX_LENGTH: usize = 1024;

/// Whom a token speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) user_id: UserId,
    pub(crate) family_id: TokenFamilyId,
    pub(crate) expires_at: UnixMillis,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejected {
    /// It is none of ours.
    Invalid,
    /// It names a key that is not known here; another node may have made it.
    UnknownKey,
    /// It was ours.
    Expired,
}

/// Signs and verifies.
#[derive(Default)]
pub(crate) struct AccessTokens {
    keys: RwLock<Keys>,
    verified: Verified,
}

#[derive(Default)]
struct Keys {
    newest: Option<(String, SigningKey)>,
    verifying: BTreeMap<String, VerifyingKey>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    alg: String,
    typ: String,
    kid: String,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Claims {
    sub: UserId,
    sid: TokenFamilyId,
    iat: u64,
    exp: u64,
}

impl AccessTokens {
    /// Takes these keys and no others: the id and secret of each, the newest last.
    pub(crate) fn set_keys(&self, keys: impl IntoIterator<Item = (String, [u8; 32])>) {
        let mut known = Keys::default();
        for (id, secret) in keys {
            let key = SigningKey::from_bytes(&secret);
            known.verifying.insert(id.clone(), key.verifying_key());
            known.newest = Some((id, key));
        }
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// A token for `user_id`; `None` if there is no key.
    pub(crate) fn issue(
        &self,
        user_id: UserId,
        family_id: TokenFamilyId,
        now: UnixMillis,
    ) -> Option<String> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let (key_id, key) = keys.newest.as_ref()?;
        let iat = now.get() / 1000;
        let header = Header { alg: "EdDSA".into(), typ: "JWT".into(), kid: key_id.clone() };
        let claims =
            Claims { sub: user_id, sid: family_id, iat, exp: iat.saturating_add(LIFETIME_SECONDS) };
        let mut token = encode(&header)?;
        token.push('.');
        token.push_str(&encode(&claims)?);
        let signature = key.sign(token.as_bytes());
        token.push('.');
        BASE64.encode_string(signature.to_bytes(), &mut token);
        Some(token)
    }

    /// Whom `token` speaks for.
    pub(crate) fn verify(&self, token: &str, now: UnixMillis) -> Result<Access, Rejected> {
        let claims = self.claims(token)?;
        let expires_at = UnixMillis::new(claims.exp.saturating_mul(1000));
        // One from the future was made by a clock that has been set back since, and would be good for longer
        // than it should.
        let is_early = claims.iat > (now.get() / 1000).saturating_add(TOLERANCE_SECONDS);
        if now >= expires_at || is_early {
            return Err(Rejected::Expired);
        }
        Ok(Access { user_id: claims.sub, family_id: claims.sid, expires_at })
    }

    fn claims(&self, token: &str) -> Result<Claims, Rejected> {
        if token.len() > MAX_LENGTH {
            return Err(Rejected::Invalid);
        }
        let place = verified::place(token);
        if let Some(known) = self.verified.get(&place)
            && self.key(&known.key_id).is_some()
        {
            return Ok(known.claims);
        }
        let known = self.check(token)?;
        let claims = known.claims;
        self.verified.insert(place, known);
        Ok(claims)
    }

    fn check(&self, token: &str) -> Result<Known, Rejected> {
        let (signed, signature) = token.rsplit_once('.').ok_or(Rejected::Invalid)?;
        let (header, claims) = signed.split_once('.').ok_or(Rejected::Invalid)?;
        let header: Header = decode(header).ok_or(Rejected::Invalid)?;
        if header.alg != "EdDSA" {
            return Err(Rejected::Invalid);
        }
        let key = self.key(&header.kid).ok_or(Rejected::UnknownKey)?;
        let verified = || {
            let signature = Signature::from_slice(&BASE64.decode(signature).ok()?).ok()?;
            key.verify_strict(signed.as_bytes(), &signature).ok()?;
            decode(claims)
        };
        let claims = verified().ok_or(Rejected::Invalid)?;
        Ok(Known { key_id: header.kid, claims })
    }

    fn key(&self, id: &str) -> Option<VerifyingKey> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).verifying.get(id).copied()
    }
}

fn encode(value: &impl Serialize) -> Option<String> {
    serde_json::to_vec(value).ok().map(|bytes| BASE64.encode(bytes))
}

fn decode<T: for<'de> Deserialize<'de>>(text: &str) -> Option<T> {
    serde_json::from_slice(&BASE64.decode(text).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use assent_ids::UnixMillis;

    use super::{AccessTokens, LIFETIME_SECONDS, Rejected};

    fn tokens(keys: &[u8]) -> AccessTokens {
        let tokens = AccessTokens::default();
        tokens.set_keys(keys.iter().map(|key| (format!("k{key}"), [*key; 32])));
        tokens
    }

    fn issue(tokens: &AccessTokens, now: UnixMillis) -> String {
        let user = "usr_01J00000000000000000000000".parse().unwrap();
        let family = "fam_01J00000000000000000000000".parse().unwrap();
        tokens.issue(user, family, now).unwrap()
    }

    #[test]
    fn a_token_is_good_for_five_minutes_and_not_a_moment_longer() {
        let tokens = tokens(&[1]);
        let now = UnixMillis::new(1_000_000);
        let token = issue(&tokens, now);
        let end = UnixMillis::new(1_000_000 + LIFETIME_SECONDS * 1000);
        assert!(tokens.verify(&token, UnixMillis::new(end.get() - 1)).is_ok());
        assert_eq!(tokens.verify(&token, end), Err(Rejected::Expired));
    }

    #[test]
    fn a_token_from_the_future_is_refused_beyond_what_clocks_may_differ() {
        let tokens = tokens(&[1]);
        let token = issue(&tokens, UnixMillis::new(1_000_000));
        assert!(tokens.verify(&token, UnixMillis::new(970_000)).is_ok());
        assert_eq!(tokens.verify(&token, UnixMillis::new(969_999)), Err(Rejected::Expired));
    }

    #[test]
    fn a_token_survives_a_rotation_and_not_the_removal_of_its_key() {
        let old = tokens(&[1]);
        let now = UnixMillis::new(1_000_000);
        let token = issue(&old, now);
        let rotated = tokens(&[1, 2]);
        assert!(rotated.verify(&token, now).is_ok());
        assert_eq!(tokens(&[2]).verify(&token, now), Err(Rejected::UnknownKey));
        rotated.set_keys([("k2".to_owned(), [2; 32])]);
        assert_eq!(rotated.verify(&token, now), Err(Rejected::UnknownKey), "known or not");
    }

    #[test]
    fn no_changed_byte_passes() {
        let tokens = tokens(&[1]);
        let now = UnixMillis::new(1_000_000);
        let token = issue(&tokens, now);
        for at in 0..token.len() {
            for other in [b'A', b'b', b'.', b'='] {
                let mut changed = token.clone().into_bytes();
                if changed[at] == other {
                    continue;
                }
                changed[at] = other;
                let changed = String::from_utf8(changed).unwrap();
                assert!(tokens.verify(&changed, now).is_err(), "byte {at}");
            }
        }
    }

    #[test]
    fn a_token_that_names_another_algorithm_is_refused() {
        use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
        let tokens = tokens(&[1]);
        let now = UnixMillis::new(1_000_000);
        let token = issue(&tokens, now);
        let claims = token.split('.').nth(1).unwrap();
        for alg in ["none", "HS256", "eddsa"] {
            let header = BASE64.encode(format!(r#"{{"alg":"{alg}","typ":"JWT","kid":"k1"}}"#));
            for signature in ["", "AAAA"] {
                let forged = format!("{header}.{claims}.{signature}");
                assert_eq!(tokens.verify(&forged, now), Err(Rejected::Invalid));
            }
        }
    }
}
