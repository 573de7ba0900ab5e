//! Lists in pages: one more than was asked for is read, to know whether there is more.

use assent_relay_api::value::{Cursor, Limit};

use crate::{http::Refusal, storage::cursor};

/// Cuts `entries` to the page that was asked for, and says where the next one begins, if there is one.
pub(crate) fn cut<T>(
    mut entries: Vec<T>,
    limit: Limit,
    place: impl Fn(&T) -> String,
) -> (Vec<T>, Option<String>) {
    let limit = usize::try_from(limit.get()).unwrap_or(usize::MAX);
    let has_more = entries.len() > limit;
    entries.truncate(limit);
    let last = entries.last().filter(|_| has_more).map(place);
    (entries, last)
}

/// What one page holds in memory at most, unless its first entry alone is larger: envelopes have up to a
/// mebibyte, and many may read at once.
pub(crate) const PAGE_BYTES: i64 = 4 << 20;

/// How many of the first entries have so many bytes together, by their sizes.
pub(crate) fn fitting(sizes: &[i64], bytes: i64) -> i64 {
    let mut left = bytes;
    let fits = |size: &i64| {
        left = left.saturating_sub(*size);
        left >= 0
    };
    let count = sizes.iter().map(fits).take_while(|fits| *fits).count();
    i64::try_from(count).unwrap_or(i64::MAX).max(1)
}

/// Whether there may be more, if so many were found of which so many were wanted and so many fit.
pub(crate) fn has_more(found: usize, wanted: i64, fitting: i64) -> bool {
    i64::try_from(found).unwrap_or(i64::MAX) >= wanted.min(fitting.saturating_add(1))
}

/// The number that a cursor holds.
pub(crate) fn number(given: Option<&Cursor>) -> Result<Option<i64>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    let number = given.as_str().parse().ok().filter(|number| *number >= 0);
    number.map(Some).ok_or_else(cursor::unknown)
}

#[cfg(test)]
mod tests {
    use assent_relay_api::value::Limit;

    use super::{cut, fitting, has_more};

    #[test]
    fn the_last_page_leads_nowhere_also_if_it_is_full() {
        let limit = Limit::try_from(2).unwrap();
        let cut = |entries: Vec<u8>| cut(entries, limit, u8::to_string);
        assert_eq!(cut(vec![1]), (vec![1], None));
        assert_eq!(cut(vec![1, 2]), (vec![1, 2], None));
        assert_eq!(cut(vec![1, 2, 3]), (vec![1, 2], Some("2".to_owned())));
    }

    #[test]
    fn a_page_has_as_much_as_fits_and_always_something() {
        assert_eq!(fitting(&[10, 20, 30], 100), 3);
        assert_eq!(fitting(&[99, 1], 100), 2);
        assert_eq!(fitting(&[99, 2, 0], 100), 1);
        assert_eq!(fitting(&[101, 1], 100), 1);
    }

    #[test]
    fn there_may_be_more_if_the_page_is_full_by_number_or_by_bytes() {
        assert!(!has_more(0, 5, 1));
        assert!(!has_more(3, 5, 3));
        assert!(has_more(5, 5, 5));
        assert!(has_more(3, 5, 2));
    }
}
