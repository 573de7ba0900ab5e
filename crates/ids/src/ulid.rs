//! ULID: 48 bits of time, 80 random bits, 26 characters of Crockford's base 32.
//!
//! One spelling only: upper case, no separators. A second spelling of the same id would slip past
//! comparisons of text (in a signature, in a database key).

use std::{fmt, str::FromStr};

use crate::{Clock, Entropy, Fault, ParseIdError, UnixMillis};

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 26;
const RANDOM_BITS: u32 = 80;

/// A time-ordered, 128-bit unique value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ulid(u128);

impl Ulid {
    /// How many bytes of it are random.
    pub(crate) const RANDOM_BYTES: usize = 10;

    /// Makes one from the clock's time and 80 random bits.
    #[must_use]
    pub fn generate(clock: &(impl Clock + ?Sized), entropy: &(impl Entropy + ?Sized)) -> Self {
        let mut random = [0_u8; Self::RANDOM_BYTES];
        entropy.fill(&mut random);
        Self::new(clock.now(), random)
    }

    /// The one with this time and these random bits.
    pub(crate) fn new(time: UnixMillis, random: [u8; Self::RANDOM_BYTES]) -> Self {
        let random = random.into_iter().fold(0, |bits, byte| bits << 8 | u128::from(byte));
        Self(u128::from(time.get()) << RANDOM_BITS | random)
    }

    /// The value with these bits.
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// All bits: time above, randomness below.
    #[must_use]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// When it was made.
    #[must_use]
    pub fn time(self) -> UnixMillis {
        UnixMillis::new(u64::try_from(self.0 >> RANDOM_BITS).unwrap_or(u64::MAX))
    }

    /// The next larger value, which has the same time unless the random part is exhausted.
    #[must_use]
    pub(crate) const fn successor(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// Reads the 26 characters; `offset` is where they begin in the whole text, for the message.
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
        Ok(Self(bits))
    }
}

impl fmt::Display for Ulid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0_u8; LENGTH];
        let mut rest = self.0;
        for place in text.iter_mut().rev() {
            let digit = usize::try_from(rest % 32).unwrap_or_default();
            *place = ALPHABET.get(digit).copied().unwrap_or_default();
            rest /= 32;
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl FromStr for Ulid {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        Self::decode(text, 0).map_err(|fault| ParseIdError::new("ULID", text, fault))
    }
}
