//! The mask of what clients send.

/// Takes the mask off `bytes`, which begin `offset` bytes into the payload.
pub(crate) fn unmask(bytes: &mut [u8], mask: [u8; 4], offset: u64) {
    let mut mask = mask;
    mask.rotate_left(usize::try_from(offset % 4).unwrap_or_default());
    let [a, b, c, d] = mask;
    let wide = u64::from_ne_bytes([a, b, c, d, a, b, c, d]);
    // Eight at a time: the rest is shorter than that.
    let (words, rest) = bytes.as_chunks_mut::<8>();
    for word in words {
        *word = (u64::from_ne_bytes(*word) ^ wide).to_ne_bytes();
    }
    for (byte, mask) in rest.iter_mut().zip(mask.iter().cycle()) {
        *byte ^= mask;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::unmask;

    proptest! {
        #[test]
        fn unmasking_is_byte_by_byte(
            bytes in proptest::collection::vec(any::<u8>(), 0..100),
            mask in any::<[u8; 4]>(),
            offset in any::<u64>(),
        ) {
            let begin = usize::try_from(offset % 4).unwrap();
            let expected: Vec<u8> =
                bytes.iter().enumerate().map(|(at, byte)| byte ^ mask[(begin + at) % 4]).collect();
            let mut unmasked = bytes;
            unmask(&mut unmasked, mask, offset);
            prop_assert_eq!(unmasked, expected);
        }
    }
}
