//! What is found, in which order, and why.

use assent_search::{Field, Index, Reason, ToolText};

use crate::{index_of, keys, tool};

#[test]
fn a_tool_is_found_by_every_field() {
    let mut index = Index::new();
    let text = ToolText {
        name: "create_issue",
        namespace: "github",
        title: "New ticket",
        description: "Opens a report in a repository.",
        hint: "bug defect",
    };
    index.insert(7, &text);
    for (query, field) in [
        ("issues", Field::Name),
        ("github", Field::Namespace),
        ("tickets", Field::Title),
        ("repositories", Field::Description),
        ("defects", Field::Hint),
    ] {
        let hits = index.search(query, 3);
        assert_eq!(hits[0].key, 7);
        assert_eq!(hits[0].reasons, [Reason { field, term: query.to_owned() }]);
    }
}

#[test]
fn reasons_name_every_word_and_every_field_in_order() {
    let index = index_of(&[("mail_send", "Sends mail, not letters."), ("other", "nothing")]);
    let hits = index.search("Send the MAILS somewhere", 5);
    let reason = |field, term: &str| Reason { field, term: term.to_owned() };
    let expected = [
        reason(Field::Name, "send"),
        reason(Field::Description, "send"),
        reason(Field::Name, "mails"),
        reason(Field::Description, "mails"),
    ];
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].reasons, expected);
}

#[test]
fn identifiers_meet_in_every_spelling() {
    let index = index_of(&[("createIssue", ""), ("create_issue_comment", ""), ("list_issues", "")]);
    for query in ["createIssue", "create_issue", "create-issue", "CREATE_ISSUE", "create issue"] {
        assert_eq!(keys(&index, query)[0], 0, "{query}");
    }
    assert_eq!(keys(&index, "create_issue_comment")[0], 1);
    let index = index_of(&[("web_hook", ""), ("OAuth2Login", "")]);
    assert_eq!(keys(&index, "webhooks"), [0]);
    assert_eq!(keys(&index, "oauth2"), [1]);
}

#[test]
fn a_name_counts_more_than_a_description() {
    let index = index_of(&[("other", "weather weather weather"), ("weather", "other")]);
    assert_eq!(keys(&index, "weather"), [1, 0]);
}

#[test]
fn a_rare_word_counts_more_than_a_frequent_one() {
    let index = index_of(&[("get_file", ""), ("get_user", ""), ("get_map", ""), ("read_map", "")]);
    assert_eq!(keys(&index, "get file")[0], 0);
    assert_eq!(keys(&index, "get map")[0], 2);
}

#[test]
fn saying_a_word_again_changes_nothing() {
    let index = index_of(&[("get_file", "Reads bytes."), ("get_user", "Reads people.")]);
    assert_eq!(index.search("file user file file", 5), index.search("file user", 5));
}

#[test]
fn words_that_say_nothing_find_nothing_unless_there_is_nothing_else() {
    let index = index_of(&[("who_is", "Asks the registry."), ("what", "This is the other.")]);
    assert_eq!(keys(&index, "who is"), [0]);
    assert_eq!(keys(&index, "what is the registry"), [0]);
    assert_eq!(keys(&index, "the xylophone"), []);
}

#[test]
fn equal_tools_are_ordered_by_key() {
    let mut index = Index::new();
    for key in [9, 4, 2_000_000_000, 7] {
        index.insert(key, &tool("same", "same"));
    }
    assert_eq!(keys(&index, "same"), [4, 7, 9, 2_000_000_000]);
    assert_eq!(index.search("same", 2).into_iter().map(|hit| hit.key).collect::<Vec<_>>(), [4, 7]);
}

#[test]
fn a_tool_that_was_replaced_is_found_by_its_new_text_only() {
    let mut index = index_of(&[("old", "old words"), ("other", "words")]);
    index.insert(0, &tool("new", "new words"));
    assert_eq!((index.len(), index.contains(0), index.contains(5)), (2, true, false));
    assert_eq!(keys(&index, "old"), []);
    assert_eq!(keys(&index, "new"), [0]);
    assert!(index.remove(0));
    assert!(!index.remove(0));
    assert_eq!(keys(&index, "new words"), [1]);
}

#[test]
fn an_empty_index_finds_nothing_and_an_empty_query_is_about_nothing() {
    assert_eq!(Index::new().search("anything", 5), []);
    assert_eq!(index_of(&[("any", "thing")]).search("", 5), []);
    assert_eq!(index_of(&[("any", "thing")]).search("thing", 0), []);
}

#[test]
fn scores_never_rise_along_the_hits() {
    let index = index_of(&[("a_map", "map"), ("map", ""), ("b", "map and more"), ("c", "map map")]);
    let hits = index.search("map", 10);
    assert_eq!(hits.len(), 4);
    assert!(hits.is_sorted_by(|one, next| one.score >= next.score));
}
