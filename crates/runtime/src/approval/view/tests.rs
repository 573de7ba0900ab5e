//! Every leaf is shown in full.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn view(arguments: &Value) -> View {
    let arguments = Json::from_value(arguments).unwrap();
    View::of("files/write", arguments.digest(), &arguments)
}

#[test]
fn a_long_text_is_shown_in_full() {
    for length in [1, 400, 401, 100_000] {
        let text = "ä".repeat(length);
        let view = view(&json!({"text": text}));
        assert_eq!(view.lines[1].text, format!("\"{text}\""));
    }
}

#[test]
fn every_element_of_a_long_list_has_a_line() {
    let view = view(&json!({"numbers": (0..1_000).collect::<Vec<_>>()}));
    assert_eq!(view.lines.len(), 1_001);
    assert_eq!(view.lines[1_000].path, "/numbers/999");
    assert_eq!(view.lines[1_000].text, "999");
}

#[test]
fn a_view_with_a_text_of_more_than_256_characters_may_be_folded() {
    // The quotes around a text are part of the line.
    assert!(!view(&json!({"text": "ä".repeat(254)})).shortened);
    assert!(view(&json!({"text": "ä".repeat(255)})).shortened);
    assert!(!view(&json!({"numbers": (0..1_000).collect::<Vec<_>>()})).shortened);
}

proptest! {
    #[test]
    fn views_of_different_arguments_have_different_digests(
        one in "[a-z\u{202e}\"\\\\]{0,300}",
        other in "[a-z\u{202e}\"\\\\]{0,300}",
    ) {
        let (a, b) = (view(&json!({"text": one})), view(&json!({"text": other})));
        prop_assert_eq!(one == other, a.lines == b.lines);
        prop_assert_eq!(one == other, a.digest == b.digest);
    }
}
