//! JSONTestSuite: what must be accepted, what must be refused, and what is left open.

use crate::files;

fn accepted(prefix: &str) -> Vec<(String, bool)> {
    files("jsontestsuite/test_parsing")
        .into_iter()
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path))
        .filter(|(name, _)| name.starts_with(prefix))
        .map(|(name, path)| (name, assent_json::read(&std::fs::read(path).unwrap()).is_ok()))
        .collect()
}

/// The grammar allows two members of one name. Readers then disagree about which one counts, so
/// these two files are refused on purpose.
const DUPLICATE_KEYS: [&str; 2] =
    ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"];

#[test]
fn what_is_json_is_accepted_except_duplicate_keys() {
    let results = accepted("y_");
    assert_eq!(results.len(), 95);
    for (name, accepted) in results {
        assert_eq!(accepted, !DUPLICATE_KEYS.contains(&name.as_str()), "{name}");
    }
}

#[test]
fn what_is_not_json_is_refused() {
    let results = accepted("n_");
    assert_eq!(results.len(), 188);
    for (name, accepted) in results {
        assert!(!accepted, "{name}");
    }
}

/// Where the grammar leaves it open, only what every reader understands alike is accepted: numbers
/// that a double holds. Everything else in this group is broken text or half a surrogate pair.
#[test]
fn what_readers_disagree_about_is_refused() {
    let accepted: Vec<_> = accepted("i_")
        .into_iter()
        .filter_map(|(name, accepted)| accepted.then_some(name))
        .collect();
    assert_eq!(
        accepted,
        [
            "i_number_double_huge_neg_exp.json",
            "i_number_real_underflow.json",
            "i_number_too_big_pos_int.json",
        ]
    );
}
