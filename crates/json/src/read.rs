//! The strict reader: text in, tape out, in one pass.

mod literal;
mod string;

use crate::{
    Document, Pointer, Position, ReadError, ReadErrorKind, Tape,
    number::write_canonical,
    order::utf16_order,
    tape::{Entry, EntryKind, VERBATIM, count},
};

/// The deepest nesting of arrays and objects.
pub const MAX_DEPTH: usize = 128;

/// The longest document. It bounds the memory of the tape: 20 bytes per value, and a value takes at least
/// two bytes of text.
pub const MAX_DOCUMENT_BYTES: usize = 8 * 1024 * 1024;

/// The initial capacity of the tape, in entries.
const SMALL: usize = 64;

/// Reads a document.
///
/// # Errors
///
/// The first error in the text.
pub fn read(source: &[u8]) -> Result<Document<'_>, ReadError> {
    read_into(source, Tape::default())
}

/// Reads a document into the memory of `tape`, which [`Document::into_tape`] returns.
///
/// # Errors
///
/// As for [`read`].
pub fn read_into(source: &[u8], mut tape: Tape) -> Result<Document<'_>, ReadError> {
    tape.clear();
    // One entry for every eight bytes is what most small documents need; larger ones grow.
    tape.entries.reserve((source.len() / 8 + 2).min(SMALL));
    let text = decode(source).map_err(|stop| (*stop).locate(source))?;
    let mut reader = Reader { bytes: source, text, at: 0, tape };
    reader.document().map_err(|stop| (*stop).locate(source))?;
    Ok(Document::new(text, reader.tape))
}

fn decode(source: &[u8]) -> Result<&str, Box<Stop>> {
    if source.len() > MAX_DOCUMENT_BYTES {
        return Err(Stop::at(MAX_DOCUMENT_BYTES, ReadErrorKind::TooLarge));
    }
    if source.starts_with(b"\xEF\xBB\xBF") {
        return Err(Stop::at(0, ReadErrorKind::ByteOrderMark));
    }
    std::str::from_utf8(source)
        .map_err(|error| Stop::at(error.valid_up_to(), ReadErrorKind::InvalidUtf8))
}

/// An error while it is returned. Each level prepends its step to the pointer.
struct Stop {
    kind: ReadErrorKind,
    offset: usize,
    pointer: Pointer,
}

impl Stop {
    fn at(offset: usize, kind: ReadErrorKind) -> Box<Self> {
        Box::new(Self { kind, offset, pointer: Pointer::root() })
    }

    fn locate(self, source: &[u8]) -> ReadError {
        let position = Position::of(source, self.offset);
        ReadError { kind: self.kind, offset: self.offset, position, pointer: self.pointer }
    }
}

type Step<T = ()> = Result<T, Box<Stop>>;

struct Reader<'s> {
    bytes: &'s [u8],
    text: &'s str,
    at: usize,
    tape: Tape,
}

impl Reader<'_> {
    fn document(&mut self) -> Step {
        self.value(0)?;
        self.skip_whitespace();
        if self.at == self.bytes.len() { Ok(()) } else { self.fail(ReadErrorKind::TrailingBytes) }
    }

    /// Reads a value inside of `depth` arrays and objects.
    fn value(&mut self, depth: usize) -> Step {
        self.skip_whitespace();
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", EntryKind::True),
            Some(b'f') => self.word("false", EntryKind::False),
            Some(b'n') => self.word("null", EntryKind::Null),
            Some(_) => self.fail(ReadErrorKind::Expected("a value")),
            None => self.fail(ReadErrorKind::UnexpectedEnd),
        }
    }

    fn word(&mut self, word: &'static str, kind: EntryKind) -> Step {
        let found = self.bytes.get(self.at..self.at + word.len());
        if found != Some(word.as_bytes()) {
            return self.fail(ReadErrorKind::Expected("a value"));
        }
        self.push(kind, self.at, word.len(), VERBATIM);
        self.at += word.len();
        Ok(())
    }

    fn number(&mut self) -> Step {
        let start = self.at;
        let literal = self.literal()?;
        let link = if literal.is_canonical() {
            VERBATIM
        } else {
            let text = self.text.get(start..self.at).unwrap_or_default();
            write_canonical(text, literal.integer, &mut self.tape.text)
                .map_err(|kind| Stop::at(start, kind))?;
            self.tape.finish_rewritten()
        };
        self.push(EntryKind::Number, start, self.at - start, link);
        Ok(())
    }

    fn array(&mut self, depth: usize) -> Step {
        let index = self.open(EntryKind::Array, depth)?;
        let mut elements = 0;
        if !self.eat_after_whitespace(b']') {
            loop {
                self.value(depth + 1).map_err(|mut stop| {
                    stop.pointer.prepend_index(elements);
                    stop
                })?;
                elements += 1;
                if !self.comma_or(b']', "`,` or `]`")? {
                    break;
                }
            }
        }
        self.close(index, elements, 0);
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Step {
        let index = self.open(EntryKind::Object, depth)?;
        let first_key = self.tape.open_keys.len();
        if !self.eat_after_whitespace(b'}') {
            loop {
                self.member(depth)?;
                if !self.comma_or(b'}', "`,` or `}`")? {
                    break;
                }
            }
        }
        let members = self.tape.open_keys.len() - first_key;
        let order = self.settle_order(first_key)?;
        self.close(index, members, order);
        Ok(())
    }

    fn member(&mut self, depth: usize) -> Step {
        self.skip_whitespace();
        match self.peek() {
            Some(b'"') => {}
            Some(_) => return self.fail(ReadErrorKind::Expected("a key in double quotes")),
            None => return self.fail(ReadErrorKind::UnexpectedEnd),
        }
        let key = self.tape.entries.len();
        self.string()?;
        self.tape.open_keys.push(count(key));
        if !self.eat_after_whitespace(b':') {
            return self.fail_expecting("`:`");
        }
        self.value(depth + 1).map_err(|mut stop| {
            stop.pointer.prepend_key(self.key_text(count(key)));
            stop
        })
    }

    /// Sorts the keys of the object that ends here and refuses duplicates.
    fn settle_order(&mut self, first_key: usize) -> Step<u32> {
        let start = self.tape.order.len();
        let tape = &mut self.tape;
        if first_key == 0 && tape.order.is_empty() {
            // The only object so far that has members: its keys need not be copied.
            std::mem::swap(&mut tape.order, &mut tape.open_keys);
        } else {
            tape.order.extend(tape.open_keys.drain(first_key..));
        }
        let mut keys = std::mem::take(&mut tape.order);
        let fresh = keys.get_mut(start..).unwrap_or_default();
        let in_order = |a: &u32, b: &u32| utf16_order(self.key_text(*a), self.key_text(*b)).is_lt();
        // Authors and tools often write keys in order already.
        let twin = if fresh.is_sorted_by(in_order) {
            None
        } else {
            fresh.sort_by(|a, b| utf16_order(self.key_text(*a), self.key_text(*b)));
            fresh.array_windows().find(|[a, b]| !in_order(a, b)).map(|[_, second]| *second)
        };
        self.tape.order = keys;
        twin.map_or(Ok(count(start)), |key| Err(self.duplicate_key(key)))
    }

    fn duplicate_key(&self, key: u32) -> Box<Stop> {
        let text = self.key_text(key).to_owned();
        let start = self.tape.entries.get(key as usize).map_or(0, |entry| entry.start as usize);
        let mut stop = Stop::at(start.saturating_sub(1), ReadErrorKind::DuplicateKey(text.clone()));
        stop.pointer.prepend_key(&text);
        stop
    }

    fn key_text(&self, key: u32) -> &str {
        let Some(entry) = self.tape.entries.get(key as usize) else { return "" };
        if entry.link == VERBATIM {
            let start = entry.start as usize;
            self.text.get(start..start + entry.len as usize).unwrap_or_default()
        } else {
            self.tape.rewritten(entry.link)
        }
    }

    /// Starts an array or object at its bracket.
    fn open(&mut self, kind: EntryKind, depth: usize) -> Step<usize> {
        if depth == MAX_DEPTH {
            return Err(Stop::at(self.at, ReadErrorKind::TooDeep));
        }
        let index = self.tape.entries.len();
        self.push(kind, self.at, 0, VERBATIM);
        self.at += 1;
        Ok(index)
    }

    fn close(&mut self, index: usize, length: usize, order: u32) {
        let behind = count(self.tape.entries.len());
        if let Some(entry) = self.tape.entries.get_mut(index) {
            *entry = Entry { len: count(length), link: behind, order, ..*entry };
        }
    }

    fn push(&mut self, kind: EntryKind, start: usize, length: usize, link: u32) {
        let entry = Entry { kind, start: count(start), len: count(length), link, order: 0 };
        self.tape.entries.push(entry);
    }

    /// True for a comma, false for the closing bracket, an error for anything else.
    fn comma_or(&mut self, closing: u8, expected: &'static str) -> Step<bool> {
        self.skip_whitespace();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            Some(byte) if byte == closing => {
                self.at += 1;
                Ok(false)
            }
            _ => self.fail_expecting(expected),
        }
    }

    fn eat_after_whitespace(&mut self, wanted: u8) -> bool {
        self.skip_whitespace();
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn skip_whitespace(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fail<T>(&self, kind: ReadErrorKind) -> Step<T> {
        Err(Stop::at(self.at, kind))
    }

    fn fail_expecting<T>(&self, expected: &'static str) -> Step<T> {
        match self.peek() {
            Some(_) => self.fail(ReadErrorKind::Expected(expected)),
            None => self.fail(ReadErrorKind::UnexpectedEnd),
        }
    }
}
