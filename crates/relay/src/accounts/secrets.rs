//! Tokens: made from randomness, shown once, kept as hashes.

use assent_ids::Entropy;
use sha2::{Digest as _, Sha256, Sha512};
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

/// Letters of a token.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Letters after the prefix: 238 bits.
const LETTERS: usize = 40;

/// What the token of an agent begins with.
pub(crate) const AGENT_PREFIX: &str = "hsk_";

/// What a refresh token begins with.
pub(crate) const REFRESH_PREFIX: &str = "hrt_";

/// A new token.
pub(crate) fn generate(prefix: &str, entropy: &dyn Entropy) -> Zeroizing<String> {
    let mut token = Zeroizing::new(String::with_capacity(prefix.len() + LETTERS));
    token.push_str(prefix);
    let mut bytes = Zeroizing::new([0_u8; 64]);
    while token.len() < prefix.len() + LETTERS {
        entropy.fill(bytes.as_mut());
        let room = prefix.len() + LETTERS - token.len();
        // 248 is the largest multiple of 62 in a byte: above it, some letters would be likelier.
        let letters = bytes.iter().filter(|byte| **byte < 248).take(room);
        token.extend(letters.map(|byte| letter(*byte)));
    }
    token
}

fn letter(byte: u8) -> char {
    ALPHABET.get(usize::from(byte) % ALPHABET.len()).copied().map_or('0', char::from)
}

/// What is kept of a token. The token has enough randomness that no salt is needed.
pub(crate) fn hash(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A token under another one, or out of it again: who has neither sees noise. The other one must not
/// serve twice.
pub(crate) fn mask(token: &[u8], under: &str) -> Zeroizing<Vec<u8>> {
    let pad = Sha512::new().chain_update(b"assent refresh successor\0").chain_update(under);
    let pad = Zeroizing::new(<[u8; 64]>::from(pad.finalize()));
    Zeroizing::new(token.iter().zip(pad.iter()).map(|(byte, pad)| byte ^ pad).collect())
}

/// Whether two hashes are the same, in a time that does not tell where they differ.
pub(crate) fn same(left: &str, right: &str) -> bool {
    left.as_bytes().ct_eq(right.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use assent_ids::SystemEntropy;

    use super::{AGENT_PREFIX, REFRESH_PREFIX, generate, hash, mask, same};

    #[test]
    fn tokens_are_forty_letters_and_never_the_same() {
        let entropy = SystemEntropy::new().unwrap();
        let (one, two) = (generate(AGENT_PREFIX, &entropy), generate(AGENT_PREFIX, &entropy));
        assert_eq!(one.len(), 44);
        assert!(one.strip_prefix("hsk_").unwrap().bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert!(!same(&hash(&one), &hash(&two)));
        assert!(same(&hash(&one), &hash(&one)));
    }

    #[test]
    fn a_token_under_another_comes_back_with_that_one_only() {
        let entropy = SystemEntropy::new().unwrap();
        let [token, under, other] = [(); 3].map(|()| generate(REFRESH_PREFIX, &entropy));
        let masked = mask(token.as_bytes(), &under);
        assert_eq!(*mask(&masked, &under), token.as_bytes());
        assert_ne!(*mask(&masked, &other), token.as_bytes());
        assert_ne!(masked.get(..4), Some(b"hrt_".as_slice()));
    }
}
