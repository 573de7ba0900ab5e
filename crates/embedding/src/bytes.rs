//! Numbers as bytes.

/// The 64 bit number that bytes begin with, and the rest.
pub(crate) fn take_u64(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*number), rest))
}

/// A float of 16 bits: a sign, five bits of exponent, ten of fraction.
pub(crate) fn half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let fraction = u32::from(bits & 0x3ff);
    match exponent {
        // Too small for an exponent of its own: so many parts of the smallest one.
        0 => {
            let size = f32::from(bits & 0x3ff) / f32::from(1_u16 << 10) / f32::from(1_u16 << 14);
            f32::from_bits(sign | size.to_bits())
        }
        // Infinite, or not a number.
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 127 - 15) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn halves_are_what_the_standard_says() {
        for (bits, number) in [
            (0x0000, 0.0),
            (0x0001, 5.960_464_5e-8),
            (0x03ff, 6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x3555, 0.333_251_95),
            (0x3c00, 1.0),
            (0x3c01, 1.000_976_6),
            (0x7bff, 65504.0),
            (0x7c00, f32::INFINITY),
            (0xc000, -2.0),
            (0xfc00, f32::NEG_INFINITY),
        ] {
            assert_eq!(half(bits), number, "{bits:#06x}");
        }
        assert!(half(0x7e00).is_nan());
        assert!(half(0x8000).is_sign_negative());
    }

    #[test]
    fn a_larger_half_is_a_larger_number() {
        let positive: Vec<f32> = (0..=0x7c00).map(half).collect();
        assert!(positive.is_sorted_by(|one, other| one < other));
    }
}
