//! Splits text into searchable words.

mod normalise;
mod script;
mod stem;
mod stop_words;

use self::{
    normalise::{normalise, push_folded},
    script::{is_ideograph, is_part_of_word, is_written_without_spaces},
    stem::stem,
    stop_words::is_stop_word,
};

/// Longer words are cut. No language has them; encoded bytes do.
const MAX_TERM_BYTES: usize = 64;

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// The form under which all inflections meet.
    pub(crate) term: &'a str,
    /// The form that stands in the text, in lower case and without accents.
    pub(crate) surface: &'a str,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word, a part of an identifier, or two neighboring letters of a script without spaces.
    Word,
    /// A word that says nothing by itself, such as “the”.
    StopWord,
    /// All parts of an identifier as one word.
    Compound,
    /// One ideograph of several: it has a meaning, but often another one than its word.
    Ideograph,
}

impl Kind {
    /// Whether the token makes its text longer. The others are contained in what was counted.
    pub(crate) const fn has_length(self) -> bool {
        matches!(self, Self::Word | Self::StopWord)
    }
}

/// Calls back for every token among the first bytes of a text.
pub(crate) fn analyse(text: &str, max_bytes: usize, emit: impl FnMut(Token<'_>)) {
    let text = text.get(..text.floor_char_boundary(max_bytes)).unwrap_or(text);
    let text = normalise(text);
    let mut splitter = Splitter::new(emit);
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        let mut ahead = rest.clone();
        splitter.step(letter, [ahead.next(), ahead.next()]);
    }
    splitter.end_word();
    splitter.end_run();
}

/// Takes text apart, letter by letter.
struct Splitter<E> {
    emit: E,
    /// The part of an identifier that is being read, which often is all of a word.
    part: String,
    letters_in_part: usize,
    /// The last letter of the part, in its own case.
    previous: Option<char>,
    /// All parts of the identifier up to here.
    whole: String,
    parts: usize,
    /// The last letter of a run without spaces, and how many there were.
    run: Option<char>,
    letters_in_run: usize,
    stemmed: String,
}

impl<E: FnMut(Token<'_>)> Splitter<E> {
    const fn new(emit: E) -> Self {
        Self {
            emit,
            part: String::new(),
            letters_in_part: 0,
            previous: None,
            whole: String::new(),
            parts: 0,
            run: None,
            letters_in_run: 0,
            stemmed: String::new(),
        }
    }

    fn step(&mut self, letter: char, ahead: [Option<char>; 2]) {
        if is_written_without_spaces(letter) {
            self.end_word();
            self.extend_run(letter);
            return;
        }
        self.end_run();
        if is_part_of_word(letter) {
            if self.begins_part(letter, ahead) {
                self.end_part();
            }
            self.extend_part(letter);
        } else if matches!(letter, '_' | '-') && ahead[0].is_some_and(is_part_of_word) {
            self.end_part();
        } else {
            self.end_word();
        }
    }

    /// Whether the letter is a hump: `create|Issue`, `HTTP|Server`, but `OAuth`, `iPhone`, `URLs`.
    fn begins_part(&self, letter: char, ahead: [Option<char>; 2]) -> bool {
        let Some(previous) = self.previous else { return false };
        if self.letters_in_part < 2 || !letter.is_uppercase() {
            return false;
        }
        let [next, after] = ahead;
        let is_plural = next == Some('s') && !after.is_some_and(char::is_lowercase);
        !previous.is_uppercase() || (next.is_some_and(char::is_lowercase) && !is_plural)
    }

    fn extend_part(&mut self, letter: char) {
        self.previous = Some(letter);
        self.letters_in_part += 1;
        if self.part.len() < MAX_TERM_BYTES {
            push_folded(&mut self.part, letter);
        }
    }

    fn end_part(&mut self) {
        if self.part.is_empty() {
            return;
        }
        if self.whole.len() < MAX_TERM_BYTES {
            self.whole.push_str(&self.part);
        }
        self.parts += 1;
        let kind = if is_stop_word(&self.part) { Kind::StopWord } else { Kind::Word };
        emit_stemmed(&mut self.emit, &mut self.stemmed, &self.part, kind);
        self.part.clear();
        self.letters_in_part = 0;
        self.previous = None;
    }

    fn end_word(&mut self) {
        self.end_part();
        if self.parts > 1 {
            emit_stemmed(&mut self.emit, &mut self.stemmed, &self.whole, Kind::Compound);
        }
        self.whole.clear();
        self.parts = 0;
    }

    fn extend_run(&mut self, letter: char) {
        if let Some(previous) = self.run {
            if self.letters_in_run == 1 {
                self.emit_ideograph(previous);
            }
            self.emit_letters(&[previous, letter], Kind::Word);
            self.emit_ideograph(letter);
        }
        self.run = Some(letter);
        self.letters_in_run += 1;
    }

    fn end_run(&mut self) {
        if let Some(letter) = self.run.take()
            && self.letters_in_run == 1
        {
            self.emit_letters(&[letter], Kind::Word);
        }
        self.letters_in_run = 0;
    }

    fn emit_ideograph(&mut self, letter: char) {
        if is_ideograph(letter) {
            self.emit_letters(&[letter], Kind::Ideograph);
        }
    }

    fn emit_letters(&mut self, letters: &[char], kind: Kind) {
        self.stemmed.clear();
        self.stemmed.extend(letters);
        let is_stop_word = is_stop_word(&self.stemmed);
        let kind = if is_stop_word { Kind::StopWord } else { kind };
        (self.emit)(Token { term: &self.stemmed, surface: &self.stemmed, kind });
    }
}

fn emit_stemmed(emit: &mut impl FnMut(Token<'_>), room: &mut String, surface: &str, kind: Kind) {
    room.clear();
    room.push_str(surface);
    stem(room);
    emit(Token { term: room, surface, kind });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        analyse(text, usize::MAX, |token| terms.push(token.term.to_owned()));
        terms
    }

    fn kinds(text: &str) -> Vec<(String, Kind)> {
        let mut kinds = Vec::new();
        analyse(text, usize::MAX, |token| kinds.push((token.surface.to_owned(), token.kind)));
        kinds
    }

    #[test]
    fn identifiers_are_split_and_kept_as_a_whole() {
        for text in ["createIssue", "CreateIssue", "create_issue", "create-issue", "CREATE_ISSUE"] {
            assert_eq!(terms(text), ["creat", "issu", "createissu"], "{text}");
        }
        assert_eq!(terms("HTTPServer2Go"), ["http", "server2", "go", "httpserver2go"]);
        assert_eq!(terms("getS3Object"), ["get", "s3", "object", "gets3object"]);
        assert_eq!(terms("_private__name_"), ["privat", "nam"]);
    }

    #[test]
    fn brands_and_acronyms_stay_in_one_piece() {
        assert_eq!(terms("OAuth iPhone eMail 3D"), ["oauth", "iphon", "email", "3d"]);
        assert_eq!(terms("APIs, URLs and PDFs"), ["api", "url", "and", "pdf"]);
    }

    #[test]
    fn case_accents_and_width_do_not_matter() {
        assert_eq!(terms("ＡＰＩ"), terms("api"));
        assert_eq!(terms("Café CAFE\u{301}"), ["caf", "caf"]);
        assert_eq!(terms("ΣΊΣΥΦΟΣ"), terms("σίσυφος"));
        assert_eq!(terms("Straße"), terms("STRASSE"));
        assert_eq!(terms("Отчёт"), ["отчёт"]);
    }

    #[test]
    fn marks_do_not_tear_words_apart() {
        assert_eq!(terms("हिन्दी").len(), 1);
    }

    #[test]
    fn scripts_without_spaces_give_pairs_and_ideographs() {
        let word = |text: &str| (text.to_owned(), Kind::Word);
        let ideograph = |text: &str| (text.to_owned(), Kind::Ideograph);
        let expected = [ideograph("发"), word("发送"), ideograph("送"), word("pdf"), word("邮")];
        assert_eq!(kinds("发送PDF邮"), expected);
        assert_eq!(kinds("メモ"), [word("メモ")]);
    }

    #[test]
    fn words_that_say_nothing_are_marked() {
        let expected = [("the", Kind::StopWord), ("的", Kind::StopWord), ("file", Kind::Word)];
        assert_eq!(kinds("the 的 file"), expected.map(|(text, kind)| (text.to_owned(), kind)));
    }

    #[test]
    fn long_words_are_cut_and_long_texts_are_left() {
        let long = "x".repeat(MAX_TERM_BYTES + 1);
        assert_eq!(terms(&long), ["x".repeat(MAX_TERM_BYTES)]);
        let mut count = 0;
        analyse("one two three", 8, |_| count += 1);
        assert_eq!(count, 2);
        analyse("é", 1, |_| unreachable!("half a letter is none"));
    }
}
