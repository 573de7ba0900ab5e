//! Parts of blobs.

use std::ops::Range;

/// The part of `size` bytes that a reader gets who asked for `wanted`: what is there of it.
pub(crate) fn clip(wanted: Option<Range<u64>>, size: u64) -> Range<u64> {
    let wanted = wanted.unwrap_or(0..size);
    let end = wanted.end.min(size);
    wanted.start.min(end)..end
}

#[cfg(test)]
mod tests {
    use super::clip;

    #[test]
    #[expect(clippy::reversed_empty_ranges, reason = "a reader may ask for anything")]
    fn a_reader_gets_what_there_is() {
        assert_eq!(clip(None, 5), 0..5);
        assert_eq!(clip(Some(1..3), 5), 1..3);
        assert_eq!(clip(Some(3..9), 5), 3..5);
        assert_eq!(clip(Some(7..9), 5), 5..5);
        assert!(clip(Some(3..1), 5).is_empty());
        assert_eq!(clip(Some(0..u64::MAX), 0), 0..0);
    }
}
