//! The three formats mean the same.

use assent_document::{Format, locate};
use assent_json::Position;
use serde_json::json;

use crate::value;

#[test]
fn one_document_in_three_formats_has_one_value() {
    let expected = json!({
        "name": "a", "count": 10, "ratio": 0.5, "on": true,
        "list": [1, "two"], "table": {"inner": {"x": -1}}
    });
    let json = r#"{"name": "a", "count": 10, "ratio": 0.5, "on": true,
                   "list": [1, "two"], "table": {"inner": {"x": -1}}}"#;
    let yaml =
        "name: a\ncount: 0xA\nratio: .5\non: true\nlist: [1, two]\ntable: {inner: {x: -1}}\n";
    let toml = "name = 'a'\ncount = 0xA\nratio = +0.5\non = true\nlist = [1, 'two']\n\
                [table.inner]\nx = -1\n";
    for (text, format) in [(json, Format::Json), (yaml, Format::Yaml), (toml, Format::Toml)] {
        assert_eq!(value(text, format), expected, "{format:?}");
    }
}

#[test]
fn the_members_of_a_toml_table_come_in_the_order_of_the_text() {
    let text = "z = 1\na = 2\n[m]\nb = 3\n";
    let keys = assent_document::read(text.as_bytes(), Format::Toml, |node| {
        Some(node.members()?.map(|(key, _)| key.to_owned()).collect::<Vec<_>>())
    });
    assert_eq!(keys.unwrap(), ["z", "a", "m"]);
}

#[test]
fn a_path_leads_to_its_line_in_every_format() {
    let position = |line, column| Position { line, column };
    for (text, format, expected) in [
        ("{\"a\":\n {\"b\": [1,\n 2]}}", Format::Json, position(3, 2)),
        ("a:\n  b:\n    - 1\n    - 2\n", Format::Yaml, position(4, 7)),
        ("[a]\nb = [1,\n  2]\n", Format::Toml, position(3, 3)),
    ] {
        assert_eq!(locate(text.as_bytes(), format, "/a/b/1"), expected, "{format:?}");
        assert_eq!(locate(text.as_bytes(), format, "/a/b/1/none"), expected, "{format:?}");
    }
}
