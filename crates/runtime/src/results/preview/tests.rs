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

/// The note of an excerpt, of whatever length.
fn note(short: &str) -> &str {
    let (_, last) = short.rsplit_once('\n').unwrap_or(("", short));
    let is_note = last == "…" || last.starts_with('[') && last.ends_with(']');
    if is_note { last } else { "" }
}

#[test]
fn the_less_room_there_is_the_shorter_is_the_note() {
    let text = "x".repeat(300);
    let fate = format!("[{FATE}]");
    for (room, expected) in [
        (fate.len() + 37, format!("x\n[299 more characters are not shown; {FATE}]")),
        (fate.len() + 35, format!("[300 more characters are not shown; {FATE}]")),
        (fate.len() + 2, format!("x\n{fate}")),
        (fate.len(), fate),
        (7, "x\n[cut]".to_owned()),
        (5, "[cut]".to_owned()),
        (4, "xx\n…".to_owned()),
        (1, "…".to_owned()),
        (0, String::new()),
    ] {
        assert_eq!(excerpt(&text, chars(room), FATE).text, expected, "{room}");
    }
    let bytes = |bytes| Room { chars: usize::MAX, bytes };
    assert_eq!(excerpt(&text, bytes(5), FATE).text, "[cut]");
    assert_eq!(excerpt(&text, bytes(4), FATE).text, "…");
    assert_eq!(excerpt(&text, bytes(2), FATE).text, "x", "no room for the note");
}

proptest! {
    /// Item 153: with its note, an excerpt is never longer than it may be.
    #[test]
    fn an_excerpt_fits_and_begins_like_the_whole(
        text in "(\\PC|\n){0,400}",
        chars in 0..400_usize,
        bytes in 0..800_usize,
    ) {
        let room = Room { chars, bytes };
        let Cut { shown, left } = cut(&text, room);
        prop_assert_eq!(format!("{shown}{left}"), &*text);
        let is_cut = !left.is_empty();
        for short in [excerpt(&text, room, FATE), excerpt_of_part(&text, 9000, room, FATE)] {
            let fits = short.text.chars().count() <= room.chars && short.text.len() <= room.bytes;
            prop_assert!(fits, "{short:?}");
            let note = if short.is_cut { note(&short.text) } else { "" };
            let shown = short.text.strip_suffix(note).unwrap();
            prop_assert!(text.starts_with(shown.strip_suffix('\n').unwrap_or(shown)));
            let has_room = room.chars > 0 && room.bytes > 2;
            prop_assert_eq!(note.is_empty(), !(short.is_cut && has_room), "{:?}", short);
        }
        prop_assert_eq!(excerpt(&text, room, FATE).is_cut, is_cut);
    }

    /// Item 153: a text of exactly the limit is passed on whole, one of a character more is cut and fits.
    #[test]
    fn the_limit_is_the_last_length_that_is_not_cut(text in "(\\PC|\n){1,300}", more in "\\PC") {
        let (length, size) = (text.chars().count(), text.len());
        for room in [chars(length), Room { chars: usize::MAX, bytes: size }] {
            let whole = Excerpt { text: text.clone(), is_cut: false };
            prop_assert_eq!(excerpt(&text, room, FATE), whole);
            let longer = excerpt(&format!("{text}{more}"), room, FATE);
            prop_assert!(longer.is_cut);
            prop_assert!(longer.text.chars().count() <= room.chars);
            prop_assert!(longer.text.len() <= room.bytes);
        }
    }
}
