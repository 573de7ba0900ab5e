//! Finding one's way in a document.

use assent_json::{Kind, read};
use serde_json::json;

#[test]
fn members_are_found_by_name_in_small_and_large_objects() {
    for size in [0_usize, 1, 16, 17, 500] {
        let members: Vec<_> = (0..size).rev().map(|n| format!("\"k\\u0065y{n}\": {n}")).collect();
        let text = format!("{{{}}}", members.join(","));
        let document = read(text.as_bytes()).unwrap();
        for n in 0..size {
            let found = document.root().get(&format!("key{n}")).unwrap();
            assert_eq!(found.as_number().unwrap().as_u64(), Some(n as u64));
        }
        assert!(document.root().get("other").is_none());
        assert_eq!(document.root().len(), size);
    }
}

#[test]
fn members_and_elements_come_in_the_order_of_the_text() {
    let document = read(br#"{"b": [1, [2], {"x": 3}, "4"], "a": null}"#).unwrap();
    let keys: Vec<_> = document.root().members().map(|(key, _)| key).collect();
    assert_eq!(keys, ["b", "a"]);
    let kinds: Vec<_> =
        document.root().get("b").unwrap().elements().map(|element| element.kind()).collect();
    assert_eq!(kinds, [Kind::Number, Kind::Array, Kind::Object, Kind::String]);
}

#[test]
fn every_node_knows_where_it_stands() {
    let text = r#"{"a": ["\n", 12, true]}"#;
    let document = read(text.as_bytes()).unwrap();
    let spans: Vec<_> = document
        .root()
        .get("a")
        .unwrap()
        .elements()
        .map(|node| &text[node.offset()..node.offset() + node.source_len()])
        .collect();
    assert_eq!(spans, [r#""\n""#, "12", "true"]);
}

#[test]
fn a_copy_holds_what_the_document_says() {
    let document = read(br#"{"i": 1.0, "f": 0.5, "big": 1e21, "s": "\u00e9", "l": [null, true]}"#);
    assert_eq!(
        document.unwrap().root().to_value(),
        json!({"i": 1, "f": 0.5, "big": 1e21, "s": "é", "l": [null, true]})
    );
}

#[test]
fn integers_are_distinguished_from_fractions() {
    for (text, integer) in
        [("1.0", true), ("1e30", true), ("0.5", false), ("1e-7", false), ("-0", true)]
    {
        let document = read(text.as_bytes()).unwrap();
        assert_eq!(document.root().as_number().unwrap().is_integer(), integer, "{text}");
    }
}
