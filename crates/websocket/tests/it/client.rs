//! What a client writes, right or wrong.

/// One frame, masked.
pub(crate) fn frame(first: u8, mask: [u8; 4], payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        short @ ..126 => frame.push(0x80 | u8::try_from(short).unwrap()),
        medium @ ..65536 => {
            frame.push(0x80 | 126);
            frame.extend(u16::try_from(medium).unwrap().to_be_bytes());
        }
        long => {
            frame.push(0x80 | 127);
            frame.extend(u64::try_from(long).unwrap().to_be_bytes());
        }
    }
    frame.extend(mask);
    frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}

/// A whole text.
pub(crate) fn text(text: &str) -> Vec<u8> {
    frame(0x81, [1, 2, 3, 4], text.as_bytes())
}
