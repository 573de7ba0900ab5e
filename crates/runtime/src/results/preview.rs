//! The beginning of a text that is too long.

use super::Limits;

/// The size of the preview of a stored result.
const PREVIEW_CHARS: usize = 2_000;

/// The size that may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// In Unicode scalar values.
    pub(crate) chars: usize,
    /// In bytes.
    pub(crate) bytes: usize,
}

impl Room {
    /// The limits of results that are passed on whole.
    pub(super) fn whole(limits: Limits) -> Self {
        Self {
            chars: limits.chars.unwrap_or(usize::MAX),
            bytes: limits.bytes.unwrap_or(usize::MAX),
        }
    }

    /// The limits of a preview.
    pub(super) fn preview(limits: Limits) -> Self {
        let whole = Self::whole(limits);
        Self { chars: whole.chars.min(PREVIEW_CHARS), bytes: whole.bytes }
    }

    /// The room that is left beside a note on a line of its own.
    fn beside(self, note: &str) -> Self {
        let (chars, bytes) = (note.chars().count() + 1, note.len() + 1);
        Self { chars: self.chars.saturating_sub(chars), bytes: self.bytes.saturating_sub(bytes) }
    }

    /// Returns `true` if a note fits.
    fn holds(self, note: &str) -> bool {
        note.len() <= self.bytes && note.chars().count() <= self.chars
    }
}

/// A text in two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut<'t> {
    /// The beginning.
    pub(crate) shown: &'t str,
    /// The rest.
    pub(crate) left: &'t str,
}

/// Splits a text so that its beginning fits: between characters, and at the end of a line if that costs little.
#[must_use]
pub(crate) fn cut(text: &str, room: Room) -> Cut<'_> {
    let fits = |(number, (at, character)): &(usize, (usize, char))| {
        *number < room.chars && at + character.len_utf8() <= room.bytes
    };
    let last = text.char_indices().enumerate().take_while(fits).last();
    let end = last.map_or(0, |(_, (at, character))| at + character.len_utf8());
    let (shown, left) = text.split_at_checked(end).unwrap_or(("", text));
    if left.is_empty() {
        return Cut { shown, left };
    }
    // At most a quarter is given up for a whole line.
    let line_end = shown.rfind('\n').map(|at| at + 1).filter(|at| *at >= end - end / 4);
    let at_line = line_end.and_then(|at| text.split_at_checked(at));
    at_line.map_or(Cut { shown, left }, |(shown, left)| Cut { shown, left })
}

/// What is shown of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// The text, with a note if something is missing; never more than there is room for.
    pub(super) text: String,
    /// Whether something is missing.
    pub(super) is_cut: bool,
}

/// As much of a text as fits, with a note about the `fate` of the rest.
pub(super) fn excerpt(text: &str, room: Room, fate: &str) -> Excerpt {
    if cut(text, room).left.is_empty() {
        return Excerpt { text: text.to_owned(), is_cut: false };
    }
    let note = |left: usize| format!("[{left} more characters are not shown; {fate}]");
    // The note is longest if nothing is shown.
    let longest = note(text.chars().count());
    let shortened = shortened(&longest, room, fate);
    let cut = cut(text, room.beside(&shortened));
    let is_whole = shortened == longest;
    let note = if is_whole { note(cut.left.chars().count()) } else { shortened };
    Excerpt { text: joined(cut.shown, &note), is_cut: true }
}

/// The same for a result of which only a part is text.
pub(super) fn excerpt_of_part(text: &str, bytes: usize, room: Room, fate: &str) -> Excerpt {
    let note = format!("[not all of the {bytes} bytes are shown; {fate}]");
    let note = shortened(&note, room, fate);
    let cut = cut(text, room.beside(&note));
    Excerpt { text: joined(cut.shown, &note), is_cut: true }
}

/// As much of a note as fits.
fn shortened(note: &str, room: Room, fate: &str) -> String {
    let all = [note.to_owned(), format!("[{fate}]"), "[cut]".to_owned(), "…".to_owned()];
    all.into_iter().find(|note| room.holds(note)).unwrap_or_default()
}

fn joined(shown: &str, note: &str) -> String {
    match shown.strip_suffix('\n').unwrap_or(shown) {
        "" => note.to_owned(),
        shown if note.is_empty() => shown.to_owned(),
        shown => format!("{shown}\n{note}"),
    }
}

#[cfg(test)]
mod tests;
