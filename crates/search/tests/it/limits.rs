//! Bounds, at L and at L + 1.

use assent_search::{Index, MAX_QUERY_BYTES, MAX_QUERY_TERMS};

use crate::{keys, tool};

#[test]
fn a_query_is_read_up_to_its_limit() {
    let mut index = Index::new();
    index.insert(1, &tool("needle", ""));
    let query = |before: usize| format!("{}needle", " ".repeat(before));
    assert_eq!(keys(&index, &query(MAX_QUERY_BYTES - 6)), [1]);
    assert_eq!(keys(&index, &query(MAX_QUERY_BYTES)), []);
}

#[test]
fn of_many_words_the_most_telling_count() {
    let mut index = Index::new();
    for key in 0..80 {
        index.insert(key, &tool("", &format!("shared{} w{key}x", key % 2)));
    }
    let rare: Vec<_> = (0..MAX_QUERY_TERMS).map(|key| format!("w{key}x")).collect();
    let fits = format!("shared1 {}", rare[1..].join(" "));
    assert!(index.search(&fits, 100).len() > MAX_QUERY_TERMS);
    let too_many = format!("shared1 {}", rare.join(" "));
    assert_eq!(index.search(&too_many, 100).len(), MAX_QUERY_TERMS);
}

#[test]
fn a_field_is_read_up_to_its_limit() {
    let padded = |before: usize| format!("{}needle", " ".repeat(before));
    let mut index = Index::new();
    index.insert(1, &tool("", &padded(16 * 1024 - 6)));
    index.insert(2, &tool("", &padded(16 * 1024)));
    index.insert(3, &tool(&padded(1024), ""));
    assert_eq!(keys(&index, "needle"), [1]);
}
