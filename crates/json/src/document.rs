//! Parsed documents and their values.

use std::borrow::Cow;

use crate::{
    Number, Position, Tape,
    canonical::write_node,
    order::utf16_order,
    tape::{Entry, EntryKind, VERBATIM},
};

/// Up to this many members, a linear search is faster than a binary search.
const SMALL_OBJECT: usize = 16;

/// A JSON document: the source text and its tape.
#[derive(Debug, Clone)]
pub struct Document<'s> {
    source: Cow<'s, str>,
    tape: Tape,
}

impl<'s> Document<'s> {
    pub(crate) fn new(source: &'s str, tape: Tape) -> Self {
        Self { source: Cow::Borrowed(source), tape }
    }

    /// Creates the document of `source`, from which `tape` was made.
    pub(crate) fn owned(source: String, tape: Tape) -> Document<'static> {
        Document { source: Cow::Owned(source), tape }
    }

    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node { document: self, index: 0 }
    }

    /// The text that was read.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The line and column of a byte of the source.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        Position::of(self.source.as_bytes(), offset)
    }

    /// The RFC 8785 form of the document.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        self.root().canonical()
    }

    /// Returns the tape, so that the next document can reuse its memory.
    #[must_use]
    pub fn into_tape(self) -> Tape {
        self.tape
    }

    pub(crate) fn tape(&self) -> &Tape {
        &self.tape
    }
}

/// The six kinds of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// The name of the kind, as JSON Schema writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// A value of a document.
#[derive(Debug, Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document<'d>,
    index: u32,
}

impl<'d> Node<'d> {
    /// Returns the kind of the value.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.entry().kind {
            EntryKind::Null => Kind::Null,
            EntryKind::False | EntryKind::True => Kind::Boolean,
            EntryKind::Number => Kind::Number,
            EntryKind::String => Kind::String,
            EntryKind::Array => Kind::Array,
            EntryKind::Object => Kind::Object,
        }
    }

    /// Returns the offset of the value in the source, in bytes.
    #[must_use]
    pub fn offset(&self) -> usize {
        let entry = self.entry();
        // A string entry starts after its quote.
        entry.start as usize - usize::from(entry.kind == EntryKind::String)
    }

    /// The bytes of the source that a scalar takes; the opening bracket of an array or object.
    #[must_use]
    pub fn source_len(&self) -> usize {
        let entry = self.entry();
        match entry.kind {
            EntryKind::Array | EntryKind::Object => 1,
            EntryKind::String => entry.len as usize + 2,
            _ => entry.len as usize,
        }
    }

    /// The text of a string, without escapes.
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> Option<&'d str> {
        let entry = self.entry();
        (entry.kind == EntryKind::String).then(|| self.text(entry))
    }

    /// The bytes of [`Self::as_str`], for comparisons: slicing a `str` checks its boundaries.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> Option<&'d [u8]> {
        let entry = self.entry();
        (entry.kind == EntryKind::String).then(|| match Self::span(entry) {
            Some(span) => self.document.source.as_bytes().get(span).unwrap_or_default(),
            None => self.document.tape().rewritten(entry.link).as_bytes(),
        })
    }

    /// The value of a number.
    #[must_use]
    #[inline]
    pub fn as_number(&self) -> Option<Number<'d>> {
        let entry = self.entry();
        (entry.kind == EntryKind::Number).then(|| Number::new(self.text(entry)))
    }

    /// The value of a boolean.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self.entry().kind {
            EntryKind::True => Some(true),
            EntryKind::False => Some(false),
            _ => None,
        }
    }

    /// Returns the number of elements or members; a scalar has none.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        match self.entry().kind {
            EntryKind::Array | EntryKind::Object => self.entry().len as usize,
            _ => 0,
        }
    }

    /// True for an empty array or object, and for every scalar.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of the member `key`, if this is an object that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Node<'d>> {
        let keys = self.keys_in_order();
        let found = if keys.len() <= SMALL_OBJECT {
            keys.iter().copied().find(|&index| self.at(index).is_key(key))
        } else {
            let compare = |&index: &u32| utf16_order(self.at(index).key_text(), key);
            keys.binary_search_by(compare).ok().and_then(|at| keys.get(at).copied())
        };
        found.map(|index| self.at(index + 1))
    }

    /// The members of an object in the order of the source; none for any other value.
    #[must_use]
    #[inline]
    pub fn members(&self) -> Members<'d> {
        let remaining = if self.kind() == Kind::Object { self.len() } else { 0 };
        Members { next: self.at(self.index + 1), remaining }
    }

    /// The elements of an array; none for any other value.
    #[must_use]
    #[inline]
    pub fn elements(&self) -> Elements<'d> {
        let remaining = if self.kind() == Kind::Array { self.len() } else { 0 };
        Elements { next: self.at(self.index + 1), remaining }
    }

    /// The RFC 8785 form of the value.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.document.source.len());
        write_node(*self, &mut out);
        out
    }

    /// The text of the whole document.
    #[must_use]
    pub fn source(&self) -> &'d str {
        &self.document.source
    }

    /// A number that identifies this value in the document.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The entries of the keys of an object, in canonical order.
    pub(crate) fn keys_in_order(&self) -> &'d [u32] {
        let entry = self.entry();
        let start = entry.order as usize;
        let order = &self.document.tape().order;
        match entry.kind {
            EntryKind::Object => order.get(start..start + entry.len as usize).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Another entry of the same document.
    #[inline]
    pub(crate) fn at(&self, index: u32) -> Node<'d> {
        Node { document: self.document, index }
    }

    /// Returns `true` if this key is `key`. Lengths are compared first.
    fn is_key(&self, key: &str) -> bool {
        let entry = self.entry();
        (entry.link != VERBATIM || entry.len as usize == key.len()) && self.text(entry) == key
    }

    #[inline]
    pub(crate) fn key_text(&self) -> &'d str {
        self.text(self.entry())
    }

    #[inline]
    pub(crate) fn entry(&self) -> &'d Entry {
        const NOTHING: &Entry =
            &Entry { kind: EntryKind::Null, start: 0, len: 0, link: VERBATIM, order: 0 };
        // INVARIANT: an index comes from the tape itself, or from an iterator that knows its length.
        self.document.tape().entries.get(self.index as usize).unwrap_or(NOTHING)
    }

    /// The meaning of a string, or the canonical form of a number.
    #[inline]
    pub(crate) fn text(&self, entry: &Entry) -> &'d str {
        match Self::span(entry) {
            Some(span) => self.document.source.get(span).unwrap_or_default(),
            None => self.document.tape().rewritten(entry.link),
        }
    }

    /// Returns the range of the text of an entry in the source, if it has no escapes.
    #[inline]
    fn span(entry: &Entry) -> Option<std::ops::Range<usize>> {
        let start = entry.start as usize;
        (entry.link == VERBATIM).then(|| start..start + entry.len as usize)
    }

    /// Returns the entry after this value and all that it contains.
    #[inline]
    fn behind(&self) -> u32 {
        let entry = self.entry();
        match entry.kind {
            EntryKind::Array | EntryKind::Object => entry.link,
            _ => self.index + 1,
        }
    }
}

/// The members of an object, as key and value.
#[derive(Debug, Clone)]
pub struct Members<'d> {
    next: Node<'d>,
    remaining: usize,
}

impl<'d> Members<'d> {
    /// Like the iterator itself, with the key as a node, which has a position in the source.
    pub fn with_key_nodes(mut self) -> impl Iterator<Item = (Node<'d>, Node<'d>)> {
        std::iter::from_fn(move || self.advance())
    }

    #[inline]
    fn advance(&mut self) -> Option<(Node<'d>, Node<'d>)> {
        self.remaining = self.remaining.checked_sub(1)?;
        let key = self.next;
        let value = key.at(key.index + 1);
        self.next = key.at(value.behind());
        Some((key, value))
    }
}

impl<'d> Iterator for Members<'d> {
    type Item = (&'d str, Node<'d>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.advance().map(|(key, value)| (key.key_text(), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

/// The elements of an array.
#[derive(Debug, Clone)]
pub struct Elements<'d> {
    next: Node<'d>,
    remaining: usize,
}

impl<'d> Iterator for Elements<'d> {
    type Item = Node<'d>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        let element = self.next;
        self.next = element.at(element.behind());
        Some(element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}
