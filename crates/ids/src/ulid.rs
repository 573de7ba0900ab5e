//! ULID: 48 bits of time, 80 random bits, 26 characters of Crockford's base 32.
//!
//! There is one spelling: upper case, no separators. A second spelling of the same id would break
//! comparisons of text, such as in a signature or a database key.

use std::{fmt, str::FromStr};

use crate::{Clock, Entropy, Fault, ParseIdError, UnixMillis};

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 26;
const RANDOM_BITS: u32 = 80;

/// A time-ordered, 128-bit unique value.
///
/// Two words instead of a `u128`, which is aligned to 16 bytes: facts and records hold many ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ulid {
    high: u64,
    low: u64,
}

impl Ulid {
    /// The number of random bytes.
    pub(crate) const RANDOM_BYTES: usize = 10;

    /// Generates a ULID from the time of the clock and 80 random bits.
    #[must_use]
    pub fn generate(clock: &(impl Clock + ?Sized), entropy: &(impl Entropy + ?Sized)) -> Self {
        let mut random = [0_u8; Self::RANDOM_BYTES];
        entropy.fill(&mut random);
        Self::new(clock.now(), random)
    }

    /// Creates the ULID with this time and these random bits.
    pub(crate) fn new(time: UnixMillis, random: [u8; Self::RANDOM_BYTES]) -> Self {
        let random = random.into_iter().fold(0, |bits, byte| bits << 8 | u128::from(byte));
        Self::from_bits(u128::from(time.get()) << RANDOM_BITS | random)
    }

    /// Creates the ULID with these bits.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "each word is one half")]
    pub const fn from_bits(bits: u128) -> Self {
        Self { high: (bits >> u64::BITS) as u64, low: bits as u64 }
    }

    /// Returns all bits: the time in the upper 48, the random bits below.
    #[must_use]
    pub const fn bits(self) -> u128 {
        (self.high as u128) << u64::BITS | self.low as u128
    }

    /// Returns the time at which it was generated.
    #[must_use]
    pub fn time(self) -> UnixMillis {
        UnixMillis::new(self.high >> (RANDOM_BITS - u64::BITS))
    }

    /// Returns the next larger value, which has the same time unless the random part overflows.
    #[must_use]
    pub(crate) const fn successor(self) -> Self {
        Self::from_bits(self.bits().saturating_add(1))
    }

    /// Parses the 26 characters. `offset` is their offset in the whole text, for the error.
    pub(crate) fn decode(text: &str, offset: usize) -> Result<Self, Fault> {
        if text.len() != LENGTH {
            return Err(Fault::Length(LENGTH));
        }
        let mut bits = 0_u128;
        for (at, byte) in text.bytes().enumerate() {
            let digit = ALPHABET.iter().zip(0_u128..).find(|(letter, _)| **letter == byte);
            let (_, digit) = digit.ok_or(Fault::Character(offset + at))?;
            // 26 × 5 = 130 bits: the first character must leave the upper two empty.
            bits = bits.checked_mul(32).ok_or(Fault::Overflow)? | digit;
        }
        Ok(Self::from_bits(bits))
    }
}

impl Ulid {
    /// The 26 characters.
    fn encode(self) -> [u8; LENGTH] {
        let mut text = [0; LENGTH];
        let (front, back) = text.split_at_mut(LENGTH / 2);
        write_digits(front, self.high >> 1);
        write_digits(back, self.low);
        // The digit in the middle has one bit of the upper word and four bits of the lower word.
        if let Some(shared) = back.first_mut() {
            *shared = letter(self.high << 4 | self.low >> 60);
        }
        text
    }
}

/// Fills `places` with digits of five bits each, the lowest bits last.
fn write_digits(places: &mut [u8], mut bits: u64) {
    for place in places.iter_mut().rev() {
        *place = letter(bits);
        bits >>= 5;
    }
}

/// Returns the digit for the lowest five bits.
fn letter(bits: u64) -> u8 {
    let digit = usize::try_from(bits & 31).unwrap_or_default();
    ALPHABET.get(digit).copied().unwrap_or_default()
}

impl fmt::Display for Ulid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.encode()).unwrap_or_default())
    }
}

impl FromStr for Ulid {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        Self::decode(text, 0).map_err(|fault| ParseIdError::new("ULID", text, fault))
    }
}
