//! Lists in pages: one more than was asked for is read, to know whether there is more.

use assent_relay_api::value::{Cursor, Limit};

use crate::{cursor, refusal::Refusal};

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

/// The number that a cursor holds.
pub(crate) fn number(given: Option<&Cursor>) -> Result<Option<i64>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    let number = given.as_str().parse().ok().filter(|number| *number >= 0);
    number.map(Some).ok_or_else(cursor::unknown)
}

#[cfg(test)]
mod tests {
    use assent_relay_api::value::Limit;

    use super::cut;

    #[test]
    fn the_last_page_leads_nowhere_also_if_it_is_full() {
        let limit = Limit::try_from(2).unwrap();
        let cut = |entries: Vec<u8>| cut(entries, limit, u8::to_string);
        assert_eq!(cut(vec![1]), (vec![1], None));
        assert_eq!(cut(vec![1, 2]), (vec![1, 2], None));
        assert_eq!(cut(vec![1, 2, 3]), (vec![1, 2], Some("2".to_owned())));
    }
}
