//! The order of object members in canonical form.

use std::cmp::Ordering;

/// Compares two keys by their UTF-16 code units, as RFC 8785 §3.2.3 requires.
///
/// In UTF-8 the bytes already stand in the order of the code points. UTF-16 differs from that only
/// where a character beyond U+FFFF (lead bytes F0 to F4, written with surrogates D800 to DFFF)
/// meets one of U+E000 to U+FFFF (lead bytes EE and EF): the surrogates come first. So the first
/// bytes that differ decide, once EE and EF are moved behind F4.
#[must_use]
pub fn utf16_order(left: &str, right: &str) -> Ordering {
    let differing = left.bytes().zip(right.bytes()).find(|(a, b)| a != b);
    match differing {
        Some((a, b)) => rank(a).cmp(&rank(b)),
        None => left.len().cmp(&right.len()),
    }
}

fn rank(byte: u8) -> u8 {
    if byte == 0xEE || byte == 0xEF { byte + 0x10 } else { byte }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::utf16_order;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        #[test]
        fn the_order_is_that_of_utf16_code_units(
            left in "[a-c\u{e9}\u{20ac}\u{d7ff}\u{e000}-\u{e003}\u{fffd}\u{10000}\u{1f600}\u{10ffff}]{0,4}",
            right in "[a-c\u{e9}\u{20ac}\u{d7ff}\u{e000}-\u{e003}\u{fffd}\u{10000}\u{1f600}\u{10ffff}]{0,4}",
        ) {
            prop_assert_eq!(
                utf16_order(&left, &right),
                left.encode_utf16().cmp(right.encode_utf16())
            );
        }
    }
}
