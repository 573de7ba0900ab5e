//! Excerpts of documents with a marked span.

use std::{
    io::{self, Write},
    ops::Range,
};

use assent_json::{Position, shorten};
use unicode_width::UnicodeWidthStr as _;

use crate::output::{QUIET, visible};

/// The longest part of a line that is shown before and after the span.
const BEFORE: usize = 40;
const AFTER: usize = 60;

/// Prints the line of `text` that contains `span`, marks the span, and prints `note` below it.
///
/// ```text
///    ┌─ manifest.json:3:20
///  3 │   "agent_version": "one",
///    │                    ^^^^^
///    = /agent_version
/// ```
pub(crate) fn print(
    out: &mut dyn Write,
    name: &str,
    text: &[u8],
    span: Range<usize>,
    style: anstyle::Style,
    note: &str,
) -> io::Result<()> {
    let Position { line, column } = Position::of(text, span.start);
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let (before, marked, after) = pieces(text, span);
    let indent = " ".repeat(before.width());
    let mark = "^".repeat(marked.width().max(1));
    writeln!(out, " {gutter} {QUIET}┌─{QUIET:#} {}:{line}:{column}", visible(name))?;
    writeln!(out, " {QUIET}{number} │{QUIET:#} {before}{marked}{after}")?;
    writeln!(out, " {gutter} {QUIET}│{QUIET:#} {indent}{style}{mark}{style:#}")?;
    if !note.is_empty() {
        writeln!(out, " {gutter} {QUIET}= {}{QUIET:#}", visible(note))?;
    }
    Ok(())
}

/// Returns the text before, inside and after the span, all of one line.
fn pieces(text: &[u8], span: Range<usize>) -> (String, String, String) {
    let start = character_start(text, span.start.min(text.len()));
    let end = character_end(text, span.end.clamp(start, text.len()));
    let is_break = |byte: &u8| *byte == b'\n';
    let piece = |range: Range<usize>| {
        String::from_utf8_lossy(text.get(range).unwrap_or_default()).into_owned()
    };
    let line_start = text.get(..start).unwrap_or_default().iter().rposition(is_break);
    let line_start = line_start.map_or(0, |at| at + 1);
    let rest = text.get(start..).unwrap_or_default();
    let line_end = start + rest.iter().position(is_break).unwrap_or(rest.len());
    let end = end.min(line_end);
    let before = last_characters(piece(line_start..start).trim_start(), BEFORE);
    let marked = shorten(&piece(start..end), AFTER);
    let after = shorten(piece(end..line_end).trim_end(), AFTER);
    (visible(&before), visible(&marked), visible(&after))
}

/// Returns `true` for a UTF-8 continuation byte.
fn goes_on(byte: &u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the start of the character at `offset`.
fn character_start(text: &[u8], offset: usize) -> usize {
    // No character has more than four bytes; invalid sequences must not be followed further.
    let back = (0..4).find(|back| {
        offset.checked_sub(*back).and_then(|at| text.get(at)).is_none_or(|byte| !goes_on(byte))
    });
    offset.saturating_sub(back.unwrap_or_default())
}

/// Returns the end of the character before `offset`.
fn character_end(text: &[u8], offset: usize) -> usize {
    let rest = text.get(offset..).unwrap_or_default();
    offset + rest.iter().take(3).take_while(|byte| goes_on(byte)).count()
}

fn last_characters(text: &str, count: usize) -> String {
    match text.char_indices().rev().nth(count) {
        Some((start, first)) => {
            format!("…{}", text.get(start + first.len_utf8()..).unwrap_or_default())
        }
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str, span: Range<usize>) -> String {
        let mut out = Vec::new();
        print(&mut out, "m.json", text.as_bytes(), span, anstyle::Style::new(), "").unwrap();
        anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
    }

    #[test]
    fn the_mark_stands_under_the_place() {
        assert_eq!(
            printed("{\n  \"a\": true\n}", 9..13),
            "   ┌─ m.json:2:8\n 2 │ \"a\": true\n   │      ^^^^\n"
        );
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let text = "{\"读取\": 1}";
        assert_eq!(printed(text, 11..12).lines().nth(2), Some("   │          ^"));
    }

    #[test]
    fn no_character_is_cut_by_the_mark() {
        let text = "clock: 虚拟";
        let shown = "   ┌─ m.json:1:8\n 1 │ clock: 虚拟\n   │        ^^\n";
        assert_eq!(printed(text, 7..8), shown);
        assert_eq!(printed(text, 7..10), shown);
        assert_eq!(printed(text, 8..9).lines().nth(1), Some(" 1 │ clock: 虚拟"));
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        let text = format!("[{}7{}]", "1,".repeat(500), ",2".repeat(500));
        let shown = printed(&text, 1001..1002);
        assert!(shown.lines().all(|line| line.chars().count() < 120), "{shown}");
        assert!(shown.contains("…1,1,1,1") && shown.contains("7,2,2"), "{shown}");
    }

    #[test]
    fn a_place_beyond_the_text_and_broken_bytes_do_no_harm() {
        printed("", 5..9);
        let mut out = Vec::new();
        print(&mut out, "m", b"{\"\xff\x1b\"}", 2..3, anstyle::Style::new(), "").unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert!(shown.contains("\\u{1b}"), "{shown}");
    }
}
