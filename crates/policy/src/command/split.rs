//! Splits a command line as a POSIX shell does, as far as possible without running it. Lines that depend on
//! running commands, and rare constructs, are refused.

use std::{iter::Peekable, str::Chars};

/// A simple command of a compound command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) words: Vec<Word>,
    /// Set if the command consists of words only: no assignment, and no redirection of a file.
    pub(super) plain: bool,
}

/// One word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Set if the shell does not expand the word: no variable, no pattern, no braces.
    pub(super) literal: bool,
}

impl Word {
    pub(super) fn literal(text: &str) -> Self {
        Self { text: text.to_owned(), literal: true }
    }

    /// Returns the text, if the shell does not expand the word.
    pub(super) fn known(&self) -> Option<&str> {
        self.literal.then_some(self.text.as_str())
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.known() == Some(text)
    }
}

/// Words that begin a construct instead of a command.
const KEYWORDS: [&str; 22] = [
    "!", "[[", "]]", "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for",
    "function", "if", "in", "select", "then", "time", "until", "while",
];

/// Returns the simple commands of a line; `None` if the line is refused.
pub(super) fn split(text: &str) -> Option<Vec<Part>> {
    let mut splitter = Splitter::new(text);
    while let Some(character) = splitter.rest.next() {
        splitter.step(character)?;
    }
    splitter.end_part(Separator::End)?;
    Some(splitter.parts)
}

struct Splitter<'t> {
    rest: Peekable<Chars<'t>>,
    parts: Vec<Part>,
    part: Part,
    word: Option<Word>,
    /// The next word is the target of a redirection.
    redirection: Option<Redirection>,
    /// An operator expects its right side.
    unfinished: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Redirection {
    File,
    Descriptor,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    /// The end of a line or of the text; a command before it is optional.
    End,
    /// `;` and `&`, which need a command before them.
    After,
    /// `|`, `||` and `&&`, which need commands on both sides.
    Between,
}

impl<'t> Splitter<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            rest: text.chars().peekable(),
            parts: Vec::new(),
            part: Part { words: Vec::new(), plain: true },
            word: None,
            redirection: None,
            unfinished: false,
        }
    }

    fn step(&mut self, character: char) -> Option<()> {
        match character {
            ' ' | '\t' => self.end_word(),
            '\n' => self.end_part(Separator::End),
            ';' => self.end_part(Separator::After),
            '&' if self.takes('&') => self.end_part(Separator::Between),
            '&' if self.takes('>') => self.redirect('>'),
            '&' => self.end_part(Separator::After),
            '|' => {
                let _ = self.takes('|') || self.takes('&');
                self.end_part(Separator::Between)
            }
            '>' | '<' => self.redirect(character),
            '\'' => self.single_quoted(),
            '"' => self.double_quoted(),
            '\\' => self.escaped(),
            '$' => self.variable(),
            '#' if self.word.is_none() => None,
            '`' | '(' | ')' => None,
            '*' | '?' | '[' | ']' | '{' | '}' | '~' => self.push(character, false),
            other if other.is_control() => None,
            other => self.push(other, true),
        }
    }

    fn takes(&mut self, expected: char) -> bool {
        self.rest.next_if_eq(&expected).is_some()
    }

    fn push(&mut self, character: char, literal: bool) -> Option<()> {
        let word = self.word();
        word.text.push(character);
        word.literal &= literal;
        Some(())
    }

    fn word(&mut self) -> &mut Word {
        self.word.get_or_insert_with(|| Word::literal(""))
    }

    fn single_quoted(&mut self) -> Option<()> {
        self.word();
        loop {
            match self.rest.next()? {
                '\'' => return Some(()),
                other => self.push(other, true)?,
            }
        }
    }

    fn double_quoted(&mut self) -> Option<()> {
        self.word();
        loop {
            match self.rest.next()? {
                '"' => return Some(()),
                '`' => return None,
                '$' => self.variable()?,
                '\\' => match self.rest.next()? {
                    '\n' => {}
                    special @ ('$' | '`' | '"' | '\\') => self.push(special, true)?,
                    other => {
                        self.push('\\', true)?;
                        self.push(other, true)?;
                    }
                },
                other => self.push(other, true)?,
            }
        }
    }

    fn escaped(&mut self) -> Option<()> {
        match self.rest.next()? {
            '\n' => Some(()),
            other => self.push(other, true),
        }
    }

    /// A `$`: a variable makes the word unknown; substitutions and arithmetic are refused.
    fn variable(&mut self) -> Option<()> {
        match self.rest.peek() {
            Some('(' | '{' | '\'' | '"' | '[') => None,
            _ => self.push('$', false),
        }
    }

    fn redirect(&mut self, direction: char) -> Option<()> {
        // `2>` is a file descriptor, not a word of the command.
        let is_descriptor = |word: &Word| word.text.bytes().all(|b| b.is_ascii_digit());
        if self.word.as_ref().is_some_and(is_descriptor) {
            self.word = None;
        }
        self.end_word()?;
        if self.redirection.is_some() {
            return None;
        }
        let kind = match (direction, self.rest.peek()) {
            ('<', Some('<' | '>')) | (_, Some('(')) => return None,
            (_, Some('&')) => Redirection::Descriptor,
            _ => Redirection::File,
        };
        let _ = self.takes('&') || self.takes('>') || self.takes('|');
        self.redirection = Some(kind);
        Some(())
    }

    fn end_word(&mut self) -> Option<()> {
        let Some(word) = self.word.take() else { return Some(()) };
        match self.redirection.take() {
            None => self.part.words.push(word),
            Some(Redirection::Descriptor) if is_descriptor(&word) => {}
            Some(Redirection::File) if word.is("/dev/null") => {}
            Some(_) => self.part.plain = false,
        }
        Some(())
    }

    fn end_part(&mut self, separator: Separator) -> Option<()> {
        self.end_word()?;
        if self.redirection.is_some() {
            return None;
        }
        let mut part = std::mem::replace(&mut self.part, Part { words: Vec::new(), plain: true });
        drop_assignments(&mut part);
        let is_empty = part.words.is_empty() && part.plain;
        if is_empty && (separator != Separator::End || self.unfinished) {
            // A command may continue on the next line after an operator.
            return (separator == Separator::End && self.rest.peek().is_some()).then_some(());
        }
        if part.words.first().is_some_and(|word| KEYWORDS.contains(&word.text.as_str())) {
            return None;
        }
        if !is_empty {
            self.parts.push(part);
        }
        self.unfinished = separator == Separator::Between;
        Some(())
    }
}

fn is_descriptor(word: &Word) -> bool {
    word.literal && (word.text == "-" || word.text.bytes().all(|b| b.is_ascii_digit()))
}

/// `NAME=value` before a command changes what the command does.
fn drop_assignments(part: &mut Part) {
    let count = part.words.iter().take_while(|word| is_assignment(&word.text)).count();
    part.plain &= count == 0;
    part.words.drain(..count);
}

fn is_assignment(text: &str) -> bool {
    let Some((name, _)) = text.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
