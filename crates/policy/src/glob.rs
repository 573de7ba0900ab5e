//! Patterns with `*` and `?`.

use std::{fmt, str::Chars};

/// A pattern for names: `*` matches any characters, `?` matches one, and `\` escapes the next character.
/// All other characters match themselves.
#[derive(Clone, PartialEq, Eq)]
pub struct Glob {
    text: Box<str>,
    atoms: Box<[Atom]>,
    /// The only text that matches, if the pattern has no wildcards.
    literal: Option<Box<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Atom {
    Char(char),
    One,
    Many,
}

impl Glob {
    /// The longest pattern, in bytes.
    pub const MAX_BYTES: usize = 1024;

    /// Parses a pattern.
    ///
    /// # Errors
    /// If the pattern is empty, too long, or ends with a lone `\`.
    pub fn parse(text: &str) -> Result<Self, GlobError> {
        if text.is_empty() {
            return Err(GlobError::Empty);
        }
        if text.len() > Self::MAX_BYTES {
            return Err(GlobError::TooLong);
        }
        let mut atoms = Vec::new();
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            atoms.push(match character {
                '*' => Atom::Many,
                '?' => Atom::One,
                '\\' => Atom::Char(characters.next().ok_or(GlobError::LoneEscape)?),
                other => Atom::Char(other),
            });
        }
        // `**` means the same as `*`.
        atoms.dedup_by(|a, b| *a == Atom::Many && *b == Atom::Many);
        let literal = atoms.iter().map(|atom| atom.literal()).collect::<Option<String>>();
        Ok(Self { text: text.into(), atoms: atoms.into(), literal: literal.map(Into::into) })
    }

    /// Returns the pattern that matches only `text`.
    #[must_use]
    pub fn escape(text: &str) -> String {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            if matches!(character, '*' | '?' | '\\') {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        escaped
    }

    /// Returns `true` if all of `subject` matches.
    #[must_use]
    pub fn matches(&self, subject: &str) -> bool {
        match &self.literal {
            Some(literal) => **literal == *subject,
            None => matches_atoms(&self.atoms, subject),
        }
    }

    /// Returns the only text that matches, if the pattern has no wildcards.
    pub(crate) fn literal(&self) -> Option<&str> {
        self.literal.as_deref()
    }

    /// Returns the pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns `true` if the pattern consists of wildcards only.
    pub(crate) fn is_only_wildcards(&self) -> bool {
        self.atoms.iter().all(|atom| atom.literal().is_none())
    }

    /// Returns the text that every match begins with.
    pub(crate) fn prefix(&self) -> String {
        self.atoms.iter().map_while(|atom| atom.literal()).collect()
    }
}

impl Atom {
    fn literal(self) -> Option<char> {
        match self {
            Self::Char(character) => Some(character),
            Self::One | Self::Many => None,
        }
    }

    fn admits(self, character: char) -> bool {
        self.literal().is_none_or(|literal| literal == character)
    }
}

/// Matches from left to right; at a mismatch, the last `*` takes one more character. Earlier ones are not
/// tried again, so the cost is at most the product of the lengths.
fn matches_atoms(atoms: &[Atom], subject: &str) -> bool {
    let mut pattern = atoms;
    let mut rest = subject.chars();
    let mut last_star: Option<(&[Atom], Chars<'_>)> = None;
    loop {
        match pattern.split_first() {
            Some((Atom::Many, [])) => return true,
            Some((Atom::Many, tail)) => {
                last_star = Some((tail, rest.clone()));
                pattern = tail;
                continue;
            }
            Some((atom, tail)) => {
                let mut ahead = rest.clone();
                if ahead.next().is_some_and(|character| atom.admits(character)) {
                    (pattern, rest) = (tail, ahead);
                    continue;
                }
            }
            None if rest.as_str().is_empty() => return true,
            None => {}
        }
        let Some((tail, from)) = &mut last_star else { return false };
        if from.next().is_none() {
            return false;
        }
        (pattern, rest) = (tail, from.clone());
    }
}

impl fmt::Debug for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Glob({:?})", self.text)
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a text is not a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// The pattern is empty, so that no name would match.
    #[error("a pattern must not be empty: leave it out to match everything")]
    Empty,
    /// The pattern is longer than [`Glob::MAX_BYTES`].
    #[error("a pattern has at most {} bytes", Glob::MAX_BYTES)]
    TooLong,
    /// The pattern ends with a `\`.
    #[error("a pattern must not end in a lone `\\`: write `\\\\` for the character itself")]
    LoneEscape,
}
