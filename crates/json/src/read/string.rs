//! Strings: a fast scan over plain text, and a careful one over escapes.

use super::{Reader, Step, Stop};
use crate::{
    ReadErrorKind,
    tape::{EntryKind, VERBATIM},
};

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGH_BITS: u64 = ONES << 7;

impl Reader<'_> {
    /// Reads the string that begins here.
    pub(super) fn string(&mut self) -> Step {
        let start = self.at + 1;
        self.at = end_of_plain(self.bytes, start);
        let link = match self.peek() {
            Some(b'"') => VERBATIM,
            Some(b'\\') => {
                self.unescape(start)?;
                self.tape.finish_rewritten()
            }
            other => return Err(self.bad_byte(other)),
        };
        self.push(EntryKind::String, start, self.at - start, link);
        self.at += 1;
        Ok(())
    }

    /// Appends the string that began at `start` to the tape's text, without its escapes, and stops
    /// at the closing quote. The reader stands at the first backslash.
    fn unescape(&mut self, start: usize) -> Step {
        let mut plain_from = start;
        loop {
            let plain = self.text.get(plain_from..self.at).unwrap_or_default();
            self.tape.text.push_str(plain);
            match self.peek() {
                Some(b'"') => return Ok(()),
                Some(b'\\') => self.escape()?,
                other => return Err(self.bad_byte(other)),
            }
            plain_from = self.at;
            self.at = end_of_plain(self.bytes, plain_from);
        }
    }

    fn escape(&mut self) -> Step {
        let start = self.at;
        let character = match self.bytes.get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            Some(_) => return self.fail(ReadErrorKind::BadEscape),
            None => return Err(Stop::at(start + 1, ReadErrorKind::UnexpectedEnd)),
        };
        self.tape.text.push(character);
        self.at += 2;
        Ok(())
    }

    /// Reads `\uXXXX`, and the second half where the first is a high surrogate.
    fn unicode_escape(&mut self) -> Step {
        let start = self.at;
        let first = self.code_unit(start)?;
        self.at += 6;
        let units = if (0xD800..0xDC00).contains(&first) {
            if self.bytes.get(self.at..self.at + 2) != Some(b"\\u") {
                return Err(Stop::at(start, ReadErrorKind::LoneSurrogate));
            }
            let second = self.code_unit(self.at)?;
            self.at += 6;
            vec![first, second]
        } else {
            vec![first]
        };
        for character in char::decode_utf16(units) {
            let character = character.map_err(|_| Stop::at(start, ReadErrorKind::LoneSurrogate))?;
            self.tape.text.push(character);
        }
        Ok(())
    }

    /// The four hexadecimal digits of the escape at `at`.
    fn code_unit(&self, at: usize) -> Step<u16> {
        let digits = self.text.get(at + 2..at + 6).unwrap_or_default();
        // `from_str_radix` also takes a sign, which JSON does not.
        if digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            u16::from_str_radix(digits, 16).map_err(|_| Stop::at(at, ReadErrorKind::BadEscape))
        } else {
            Err(Stop::at(at, ReadErrorKind::BadEscape))
        }
    }

    fn bad_byte(&self, byte: Option<u8>) -> Box<Stop> {
        let kind = match byte {
            Some(_) => ReadErrorKind::ControlCharacter,
            None => ReadErrorKind::UnexpectedEnd,
        };
        Stop::at(self.at, kind)
    }
}

/// The first byte from `at` on that is a quote, a backslash or a control character.
fn end_of_plain(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return at + (special.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// Sets the high bit of the lowest byte that ends plain text. Bits above it may be set wrongly,
/// because a subtraction borrows from the next byte: only the lowest one counts.
fn special_bytes(word: u64) -> u64 {
    let below_space = word.wrapping_sub(ONES * 0x20) & !word;
    (equals(word, b'"') | equals(word, b'\\') | below_space) & HIGH_BITS
}

fn equals(word: u64, byte: u8) -> u64 {
    let difference = word ^ (ONES * u64::from(byte));
    difference.wrapping_sub(ONES) & !difference
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::end_of_plain;

    proptest! {
        #[test]
        fn the_fast_scan_stops_where_a_byte_by_byte_scan_stops(
            bytes in proptest::collection::vec(
                prop_oneof![8 => any::<u8>(), 1 => Just(b'"'), 1 => Just(b'\\')], 0..64
            ),
            start in 0_usize..8,
        ) {
            let slow = bytes
                .iter()
                .enumerate()
                .skip(start)
                .find(|(_, byte)| matches!(byte, b'"' | b'\\' | 0..0x20))
                .map_or(bytes.len().max(start), |(at, _)| at);
            prop_assert_eq!(end_of_plain(&bytes, start), slow);
        }
    }
}
