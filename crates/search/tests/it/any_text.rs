//! The index accepts any text.

use assent_search::{Index, ToolText};
use proptest::{collection::vec, prelude::*};

use crate::{keys, tool};

/// Ordinary and odd letters in any order.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-zA-Z0-9_ '\u{301}ßİΣ的发送メเ가\u{fdfa}\u{200d}🚚-]{0,40}"]
}

proptest! {
    #[test]
    fn every_text_is_a_tool_and_a_query(texts in vec([text(), text(), text(), text(), text()], 0..8), query in text()) {
        let mut index = Index::new();
        for (key, texts) in (0..).zip(&texts) {
            let [name, namespace, title, description, hint] = texts.each_ref().map(String::as_str);
            index.insert(key, &ToolText { name, namespace, title, description, hint });
        }
        for hit in index.search(&query, 3) {
            prop_assert!(hit.score > 0.0 && !hit.reasons.is_empty());
        }
        for key in (0..).zip(&texts).map(|(key, _)| key) {
            prop_assert!(index.remove(key));
        }
        prop_assert!(index.search(&query, 3).is_empty());
    }

    #[test]
    fn a_tool_is_found_by_its_own_name(name in "[a-zA-Z0-9_\u{4e00}-\u{4eff}\u{e0}-\u{f0}-]{1,30}") {
        prop_assume!(name.chars().any(char::is_alphanumeric));
        let mut index = Index::new();
        index.insert(5, &tool(&name, ""));
        prop_assert_eq!(keys(&index, &name), [5]);
        prop_assert_eq!(keys(&index, &name.to_lowercase()), [5]);
        prop_assert_eq!(keys(&index, &name.to_uppercase()), [5]);
    }
}
