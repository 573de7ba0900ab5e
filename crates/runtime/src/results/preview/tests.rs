//! Previews are valid, fit, and say what is missing.

use proptest::prelude::*;

use super::{Cut, Excerpt, Limits, Room, cut, excerpt, excerpt_of_part};

const FATE: &str = "the whole result is stored as `blob:sha256:0`";

fn chars(chars: usize) -> Room {
    Room { chars, bytes: usize::MAX }
}

#[test]
fn a_text_is_cut_between_characters() {
    assert_eq!(cut("añ语🦀", chars(3)), Cut { shown: "añ语", left: "🦀" });
    let bytes = |bytes| Room { chars: usize::MAX, bytes };
    assert_eq!(cut("añ语🦀", bytes(5)), Cut { shown: "añ", left: "语🦀" });
    assert_eq!(cut("añ语🦀", bytes(6)), Cut { shown: "añ语", left: "🦀" });
    assert_eq!(cut("añ", chars(0)), Cut { shown: "", left: "añ" });
    assert_eq!(cut("", chars(0)), Cut { shown: "", left: "" });
}

#[test]
fn a_text_is_cut_at_the_end_of_a_line_if_one_is_near() {
    assert_eq!(cut("12345678\nabc", chars(10)).shown, "12345678\n");
    assert_eq!(cut("12\n45678abcd", chars(10)).shown, "12\n45678ab");
}

#[test]
fn what_has_room_is_not_touched() {
    let whole = Excerpt { text: "exactly".to_owned(), is_cut: false };
    assert_eq!(excerpt("exactly", chars(7), FATE), whole);
    let short = excerpt(&"x".repeat(300), chars(200), FATE);
    assert!(short.is_cut && short.text.ends_with(&format!("are not shown; {FATE}]")), "{short:?}");
    assert_eq!(short.text.len(), 200);
}

#[test]
fn a_result_that_is_not_all_text_says_so_however_short_its_text_is() {
    let short = excerpt_of_part("see the picture", 9000, chars(500), FATE);
    let expected = format!("see the picture\n[not all of the 9000 bytes are shown; {FATE}]");
    assert_eq!(short, Excerpt { text: expected, is_cut: true });
}

#[test]
fn a_preview_is_small_even_if_much_may_be_passed_on() {
    let room = Room::preview(Limits { chars: Some(50_000), bytes: None });
    assert!(excerpt(&"x".repeat(60_000), room, FATE).text.len() <= 2_000);
}

proptest! {
    /// Item 153.
    #[test]
    fn an_excerpt_fits_and_begins_like_the_whole(
        text in "(\\PC|\n){0,400}",
        chars in 0..400_usize,
        bytes in 0..800_usize,
    ) {
        let room = Room { chars, bytes };
        let short = excerpt(&text, room, FATE);
        let Cut { shown, left } = cut(&text, room);
        prop_assert_eq!(format!("{shown}{left}"), &*text);
        prop_assert_eq!(short.is_cut, !left.is_empty());
        let note = if short.is_cut { short.text.rfind('[').unwrap() } else { short.text.len() };
        let (shown, note) = short.text.split_at(note);
        let fits = short.text.chars().count() <= room.chars && short.text.len() <= room.bytes;
        prop_assert!(fits || shown.is_empty(), "{short:?}");
        prop_assert!(text.starts_with(shown.strip_suffix('\n').unwrap_or(shown)));
        prop_assert_eq!(note.is_empty(), !short.is_cut);
    }
}
