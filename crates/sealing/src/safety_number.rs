//! The number that two people compare to be sure that no one sits between them.

use std::fmt;

use sha2::{Digest, Sha512};

use crate::{Endpoint, PublicKeys};

const ROUNDS: usize = 5199;
const GROUPS_PER_SIDE: usize = 6;
const DIGITS_PER_GROUP: usize = 5;

/// Sixty digits over the identity keys of both sides: the same on both, and different for any other keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SafetyNumber {
    digits: String,
}

impl SafetyNumber {
    /// The number of two endpoints with these keys, in either order.
    #[must_use]
    pub fn new(one: (Endpoint, &PublicKeys), other: (Endpoint, &PublicKeys)) -> Self {
        let mut sides = [one, other].map(|(endpoint, keys)| side(endpoint, keys));
        sides.sort_unstable();
        Self { digits: sides.concat() }
    }

    /// The sixty digits.
    #[must_use]
    pub fn digits(&self) -> &str {
        &self.digits
    }

    /// The text of the QR code.
    #[must_use]
    pub fn qr_text(&self) -> String {
        format!("assent-safety:1:{}", self.digits)
    }

    /// Whether a person typed this number, with or without spaces between the groups.
    #[must_use]
    pub fn matches(&self, typed: &str) -> bool {
        typed.chars().filter(|c| !c.is_whitespace()).eq(self.digits.chars())
    }
}

/// Twelve groups of five digits.
impl fmt::Display for SafetyNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, digit) in self.digits.chars().enumerate() {
            if place > 0 && place % DIGITS_PER_GROUP == 0 {
                f.write_str(" ")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// The thirty digits of one side. Hashing thousands of times makes it costly to search for keys with similar
/// digits.
fn side(endpoint: Endpoint, keys: &PublicKeys) -> String {
    let mut hash = Sha512::new()
        .chain_update(b"assent/v1/safety")
        .chain_update(keys.signing)
        .chain_update(keys.identity)
        .chain_update(endpoint.to_string())
        .finalize();
    for _ in 0..ROUNDS {
        hash = Sha512::new()
            .chain_update(hash)
            .chain_update(keys.signing)
            .chain_update(keys.identity)
            .finalize();
    }
    let groups = hash.chunks_exact(DIGITS_PER_GROUP).take(GROUPS_PER_SIDE);
    groups.map(|bytes| format!("{:05}", number(bytes) % 100_000)).collect()
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
