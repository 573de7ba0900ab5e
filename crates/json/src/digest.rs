//! SHA-256 digests.

use std::{fmt, str::FromStr};

use sha2::{Digest as _, Sha256};

/// The SHA-256 of some bytes, written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Hashes `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest itself.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest with the name of its algorithm, as records have it: `sha256:` and 64 digits.
    #[must_use]
    pub fn named(&self) -> String {
        let digits = self.digits();
        ["sha256:", std::str::from_utf8(&digits).unwrap_or_default()].concat()
    }

    fn digits(&self) -> [u8; 64] {
        let mut text = [0_u8; 64];
        let (pairs, _) = text.as_chunks_mut::<2>();
        for ([high, low], byte) in pairs.iter_mut().zip(self.0) {
            (*high, *low) = (digit(byte >> 4), digit(byte & 0xF));
        }
        text
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != 32 || !rest.is_empty() {
            return Err(ParseDigestError);
        }
        let mut bytes = [0; 32];
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = (nibble(*high)? << 4) | nibble(*low)?;
        }
        Ok(Self(bytes))
    }
}

/// The letter for a number below 16.
fn digit(number: u8) -> u8 {
    if number < 10 { b'0' + number } else { b'a' + number - 10 }
}

fn nibble(digit: u8) -> Result<u8, ParseDigestError> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(ParseDigestError),
    }
}

/// The text is not a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a digest is written as 64 lower-case hexadecimal digits")]
pub struct ParseDigestError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_text_has_the_published_digest() {
        assert_eq!(
            Digest::of(b"").to_string(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }

    #[test]
    fn a_digest_survives_being_written_and_read() {
        let digest = Digest::of(b"assent");
        assert_eq!(digest.named(), format!("sha256:{digest}"));
        assert_eq!(digest.to_string().parse(), Ok(digest));
    }

    #[test]
    fn anything_but_64_lower_case_digits_is_refused() {
        let digest = Digest::of(b"").to_string();
        for text in ["", "00", &digest.to_uppercase(), &format!("{digest}0"), &"é".repeat(32)] {
            assert_eq!(text.parse::<Digest>(), Err(ParseDigestError), "{text}");
        }
    }
}
