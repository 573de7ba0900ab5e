//! The flat form of a document: one entry per value, in the order of the text.

/// The `link` of a string or number that is written in the source as it is.
pub(crate) const VERBATIM: u32 = u32::MAX;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
}

/// One value, or one key, of a document.
///
/// ```text
///            start            len                 link                     order
/// scalar     first byte       –                   –                        –
/// number     first byte       bytes of literal    VERBATIM or a rewritten  –
/// string     after the quote  bytes inside        VERBATIM or a rewritten  –
/// array      the bracket      elements            entry behind the array   –
/// object     the brace        members             entry behind the object  first in `Tape::order`
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) kind: EntryKind,
    pub(crate) start: u32,
    pub(crate) len: u32,
    pub(crate) link: u32,
    pub(crate) order: u32,
}

/// The storage of a document. It can be reused for the next document.
#[derive(Debug, Clone, Default)]
pub struct Tape {
    pub(crate) entries: Vec<Entry>,
    /// For each object, the entries of its keys in canonical order.
    pub(crate) order: Vec<u32>,
    /// Keys of the objects that are still open.
    pub(crate) open_keys: Vec<u32>,
    /// Ends, in `text`, of the strings and numbers that are not written as in the source.
    pub(crate) rewritten: Vec<u32>,
    /// Strings without their escapes, and numbers in canonical form, one after another.
    pub(crate) text: String,
}

impl Tape {
    /// Creates the tape of a document that is one string without escapes.
    pub(crate) fn of_string(length: usize) -> Self {
        let kind = EntryKind::String;
        let entry = Entry { kind, start: 1, len: count(length), link: VERBATIM, order: 0 };
        Self { entries: vec![entry], ..Self::default() }
    }

    /// Empties the tape and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.order.clear();
        self.open_keys.clear();
        self.rewritten.clear();
        self.text.clear();
    }

    /// Closes the text that was pushed to `text` since the last call and returns its number.
    pub(crate) fn finish_rewritten(&mut self) -> u32 {
        let number = count(self.rewritten.len());
        self.rewritten.push(count(self.text.len()));
        number
    }

    /// The rewritten text of this number.
    pub(crate) fn rewritten(&self, number: u32) -> &str {
        let number = number as usize;
        let end = self.rewritten.get(number).copied().unwrap_or_default() as usize;
        let start = number
            .checked_sub(1)
            .and_then(|before| self.rewritten.get(before))
            .copied()
            .unwrap_or_default() as usize;
        self.text.get(start..end).unwrap_or_default()
    }
}

/// Converts a length for an entry. Documents are far shorter than 4 GiB ([`crate::read()`] checks it).
pub(crate) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
